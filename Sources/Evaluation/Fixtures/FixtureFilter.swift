/// Selects fixtures by identifier, metadata or shard.
package struct FixtureFilter: Sendable, Equatable {
    /// One shard of several, for runs in parallel.
    package struct Shard: Sendable, Equatable {
        /// Number of the shard, from 1.
        package let number: Int
        /// Number of shards.
        package let count: Int

        /// Parses "2/4"; nil if the text has another form or is out of range.
        package init?(_ text: String) {
            guard let match = text.wholeMatch(of: /([0-9]+)\/([0-9]+)/), let number = Int(match.1),
                let count = Int(match.2), number >= 1, number <= count
            else { return nil }
            (self.number, self.count) = (number, count)
        }
    }

    /// Globs on the identifier, or `metadata.key=value`; all must match.
    package var patterns: [String]
    /// Allowed identifiers; nil for all.
    package var identities: Set<String>?
    /// Shard; nil for all.
    package var shard: Shard?
    /// Limit on the number of fixtures.
    package var limit: Int?

    /// Creates a filter; by default every fixture passes.
    package init(patterns: [String] = [], identities: Set<String>? = nil, shard: Shard? = nil, limit: Int? = nil) {
        self.patterns = patterns
        self.identities = identities
        self.shard = shard
        self.limit = limit
    }

    /// Selected fixtures in their order.
    ///
    /// All fixtures of a conversation fall into the same shard, so that merged statistics are correct.
    package func chosen(_ fixtures: [Fixture]) -> [Fixture] {
        let matching = fixtures.filter { fixture in
            (identities?.contains(fixture.id) ?? true) && patterns.allSatisfy { Self.matches($0, fixture) }
                && (shard.map { Self.number(of: fixture.cluster, in: $0.count) == $0.number } ?? true)
        }
        return limit.map { Array(matching.prefix($0)) } ?? matching
    }

    private static func matches(_ pattern: String, _ fixture: Fixture) -> Bool {
        if pattern.hasPrefix("metadata."), let equals = pattern.firstIndex(of: "=") {
            let key = String(pattern[..<equals].dropFirst("metadata.".count))
            return fixture.metadata[key] == String(pattern[pattern.index(after: equals)...])
        }
        if pattern.hasPrefix("suite=") { return fixture.suite == pattern.dropFirst("suite=".count) }
        if pattern.hasPrefix("severity=") { return fixture.severity.rawValue == pattern.dropFirst("severity=".count) }
        return matches(Array(pattern), Array(fixture.id))
    }

    /// Matches a glob: `*` matches any run of characters, `?` matches one.
    static func matches(_ pattern: [Character], _ text: [Character]) -> Bool {
        var (place, at, star, mark) = (0, 0, -1, 0)
        while at < text.count {
            if place < pattern.count, pattern[place] == text[at] || pattern[place] == "?", pattern[place] != "*" {
                place += 1
                at += 1
            } else if place < pattern.count, pattern[place] == "*" {
                star = place
                mark = at
                place += 1
            } else if star >= 0 {
                place = star + 1
                mark += 1
                at = mark
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }

    /// Shard of a name by its FNV-1a hash, the same on every machine.
    private static func number(of name: String, in count: Int) -> Int {
        let hash = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int(hash % UInt64(count)) + 1
    }
}
