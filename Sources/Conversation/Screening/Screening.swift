/// What the screen made of a message.
package struct Screening: Sendable, Equatable {
    /// Everything that was found, gravest first; findings of level none were weighed and let go.
    package let findings: [Finding]
    /// Parts of the screen that did not work, by name; empty when all did.
    package let failures: [String]
    /// The ground that the message treads on.
    package let grounds: Set<Ground>

    /// Makes a screening.
    package init(findings: [Finding] = [], failures: [String] = [], grounds: Set<Ground> = []) {
        self.findings = findings.sorted { ($0.level, $0.confidence) > ($1.level, $1.confidence) }
        self.failures = failures
        self.grounds = grounds
    }

    /// The gravest level of all findings.
    package var level: Level { findings.first?.level ?? .none }

    /// Whether the message tells of a scam, at any level above none.
    package var isScam: Bool { findings.contains { $0.category == .scam && $0.level > .none } }

    /// Both screenings together.
    package func merged(with other: Screening) -> Screening {
        Screening(
            findings: findings + other.findings,
            failures: failures + other.failures,
            grounds: grounds.union(other.grounds)
        )
    }
}
