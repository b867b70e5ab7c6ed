import Conversation
import Cryptography
import Foundation
import YAML

/// Reads a suite in promptfoo's format with Hearth's extensions.
package struct SuiteReader {
    private static let suiteKeys = ["suite", "description", "metadata", "defaultTest", "tests", "shared"]
    private static let testKeys = [
        "id", "description", "severity", "metadata", "vars", "given", "turns", "assert", "threshold", "repeat", "skip",
    ]
    private static let defaultKeys = ["metadata", "vars", "given", "assert", "severity", "threshold", "repeat"]

    package init() {}

    /// Reads one document.
    ///
    /// Fixtures without identifiers are numbered, as in promptfoo. The key `shared` contains only YAML anchors.
    package func fixtures(_ text: String, file: String) throws(FixtureError) -> [Fixture] {
        let root = try reading { () throws(YAMLError) in try YAML.parse(text, file: file) }
        let mapping = try reading { () throws(YAMLError) in
            let mapping = try root.mapping()
            try mapping.refuseKeys(except: Self.suiteKeys)
            return mapping
        }
        let stem = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let name = try reading { () throws(YAMLError) in try mapping["suite"]?.string() ?? stem }
        let base = try defaults(mapping["defaultTest"], metadata: try labels(mapping["metadata"]))
        var fixtures: [Fixture] = []
        for (index, node) in try reading({ () throws(YAMLError) in try mapping.required("tests").sequence() })
            .enumerated()
        {
            fixtures.append(try fixture(node, number: index + 1, of: name, base))
        }
        guard !fixtures.isEmpty else { throw .none(path: file) }
        return fixtures
    }

    /// Defaults of a suite's fixtures.
    private struct Defaults {
        var metadata: [String: String]
        var variables: [String: String] = [:]
        var given = Given()
        var assertions: YAMLNode?
        var severity = Fixture.Severity.major
        var threshold: Double?
        var repetition = Fixture.Repetition()
    }

    private func defaults(_ node: YAMLNode?, metadata: [String: String]) throws(FixtureError) -> Defaults {
        var defaults = Defaults(metadata: metadata)
        guard let node else { return defaults }
        let mapping = try reading { () throws(YAMLError) in
            let mapping = try node.mapping()
            try mapping.refuseKeys(except: Self.defaultKeys)
            return mapping
        }
        defaults.metadata.merge(try labels(mapping["metadata"])) { $1 }
        defaults.variables = try labels(mapping["vars"])
        var given = GivenReader()
        defaults.given = try given.read(mapping["given"])
        defaults.assertions = mapping["assert"]
        _ = try AssertionReader(variables: nil).assertions(mapping["assert"])
        defaults.severity = try severity(mapping) ?? .major
        defaults.threshold = try threshold(mapping)
        defaults.repetition = try repetition(mapping["repeat"]) ?? Fixture.Repetition()
        return defaults
    }

    private func fixture(
        _ node: YAMLNode,
        number: Int,
        of suite: String,
        _ base: Defaults
    ) throws(FixtureError) -> Fixture {
        let mapping = try reading { () throws(YAMLError) in
            let mapping = try node.mapping()
            try mapping.refuseKeys(except: Self.testKeys)
            return mapping
        }
        let variables = TextVariables(base.variables.merging(try labels(mapping["vars"])) { $1 })
        let reader = AssertionReader(variables: variables)
        var given = GivenReader(base.given)
        let common = try reader.assertions(base.assertions)
        var turns = try turns(mapping, variables, reader)
        for index in turns.indices { turns[index].assertions = common + turns[index].assertions }
        turns[turns.count - 1].assertions += try reader.assertions(mapping["assert"])
        guard turns.contains(where: { !$0.assertions.isEmpty }) else {
            throw .invalid(at: node.position, reason: "nothing is asserted, so nothing could fail")
        }
        var fixture = Fixture(
            id: try identity(mapping["id"]) ?? "\(suite)-\(number)",
            suite: suite,
            title: try reading { () throws(YAMLError) in try mapping["description"]?.string() ?? "" },
            severity: try severity(mapping) ?? base.severity,
            metadata: base.metadata.merging(try labels(mapping["metadata"])) { $1 },
            given: try given.read(mapping["given"]),
            turns: turns,
            threshold: try threshold(mapping) ?? base.threshold,
            repetition: try repetition(mapping["repeat"]) ?? base.repetition,
            skipReason: try reading { () throws(YAMLError) in try mapping["skip"]?.string() },
            position: node.position
        )
        fixture.digest = FixtureDigest.of(fixture)
        return fixture
    }

    /// Validates an identifier, which is used on command lines, in file names and in tables.
    private func identity(_ node: YAMLNode?) throws(FixtureError) -> String? {
        guard let node else { return nil }
        let identity = try reading { () throws(YAMLError) in try node.string() }
        let isPlain = identity.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...200).contains(identity.utf8.count), isPlain else {
            throw .invalid(at: node.position, reason: "an id has 1 to 200 bytes and no control characters")
        }
        return identity
    }

    private func turns(
        _ mapping: YAMLMapping,
        _ variables: TextVariables,
        _ reader: AssertionReader
    ) throws(FixtureError) -> [Fixture.Turn] {
        guard let node = mapping["turns"] else {
            guard let said = variables["message"] else {
                throw .invalid(at: mapping.position, reason: "what is said is missing: turns, or vars with a message")
            }
            return [try turn(said, at: mapping.position)]
        }
        guard variables["message"] == nil else {
            throw .invalid(at: node.position, reason: "either turns or vars with a message, not both")
        }
        var turns: [Fixture.Turn] = []
        for item in try reading({ () throws(YAMLError) in try node.sequence() }) {
            let (said, minutes, asserted) = try reading { () throws(YAMLError) in
                let mapping = try item.mapping(of: "user", "after-minutes", "assert")
                let minutes = try mapping["after-minutes"]?.integer(in: 0...1_000_000) ?? 1
                return (try mapping.string("user"), minutes, mapping["assert"])
            }
            var turn = try turn(variables.replaced(said, at: item.position), at: item.position)
            turn.after = .seconds(60 * minutes)
            turn.assertions = try reader.assertions(asserted)
            turns.append(turn)
        }
        guard !turns.isEmpty else { throw .invalid(at: node.position, reason: "there is no turn") }
        return turns
    }

    private func turn(_ said: String, at position: YAMLPosition) throws(FixtureError) -> Fixture.Turn {
        guard (1...4_000).contains(said.count) else {
            throw .invalid(at: position, reason: "what is said has 1 to 4000 characters")
        }
        return Fixture.Turn(said: said)
    }

    private func labels(_ node: YAMLNode?) throws(FixtureError) -> [String: String] {
        guard let node else { return [:] }
        return try reading { () throws(YAMLError) in
            var labels: [String: String] = [:]
            for entry in try node.mapping().entries { labels[entry.key] = try entry.value.string() }
            return labels
        }
    }

    private func severity(_ mapping: YAMLMapping) throws(FixtureError) -> Fixture.Severity? {
        try reading { () throws(YAMLError) in try mapping["severity"]?.choice(of: Fixture.Severity.self) }
    }

    private func threshold(_ mapping: YAMLMapping) throws(FixtureError) -> Double? {
        guard let node = mapping["threshold"] else { return nil }
        let threshold = try reading { () throws(YAMLError) in try node.number() }
        guard threshold > 0, threshold <= 1 else {
            throw .invalid(at: node.position, reason: "a threshold is above 0 and at most 1")
        }
        return threshold
    }

    private func repetition(_ node: YAMLNode?) throws(FixtureError) -> Fixture.Repetition? {
        guard let node else { return nil }
        let (count, minimum) = try reading { () throws(YAMLError) in
            let mapping = try node.mapping(of: "n", "min-pass")
            let count = try mapping.required("n").integer(in: 1...1_000)
            return (count, try mapping["min-pass"]?.integer(in: 1...1_000) ?? count)
        }
        guard minimum <= count else { throw .invalid(at: node.position, reason: "min-pass is at most n") }
        return Fixture.Repetition(count: count, minimumPasses: minimum)
    }
}
