/// The findings of every screen in a message.
package struct Screening: Sendable, Equatable {
    /// Everything that rules and the detector found, gravest first; findings of level none were weighed and let go.
    package let findings: [Finding]
    /// Dangers that the detector merely suspects, gravest first; they ask, and alert nobody.
    package let suspicions: [Finding]
    /// Dangers that the detector holds for likely, gravest first.
    ///
    /// A trusted model's verdict may clear them; without a
    /// verdict they count as findings.
    package let likely: [Finding]
    /// The act of speech that the detector hears; nil when it did not look.
    package let act: DialogueAct?
    /// The kind of fraud that is told of; nil when none is, or its kind is not known.
    package let scamType: ScamType?
    /// The ways in which the message says that a danger is over or in good hands.
    package let closings: Set<Closing>
    /// Parts of the screen that did not work, by name; empty when all did.
    package let failures: [String]
    /// The restricted topics of the message.
    package let grounds: Set<Ground>
    /// The rules whose findings the detector contradicts; beside it they count as suspicions.
    package let doubtedRules: Set<String>

    /// Makes a screening.
    package init(
        findings: [Finding] = [],
        suspicions: [Finding] = [],
        likely: [Finding] = [],
        act: DialogueAct? = nil,
        scamType: ScamType? = nil,
        closings: Set<Closing> = [],
        failures: [String] = [],
        grounds: Set<Ground> = [],
        doubtedRules: Set<String> = []
    ) {
        self.findings = findings.sorted { ($0.level, $0.confidence) > ($1.level, $1.confidence) }
        self.suspicions = suspicions.sorted { ($0.level, $0.confidence) > ($1.level, $1.confidence) }
        self.likely = likely.sorted { ($0.level, $0.confidence) > ($1.level, $1.confidence) }
        self.act = act
        self.scamType = scamType
        self.closings = closings
        self.failures = failures
        self.grounds = grounds
        self.doubtedRules = doubtedRules
    }

    /// The screening by which a message is decided: what is likely waits as a suspicion for a model's verdict, or counts as
    /// found where none will be given.
    package func settled(awaitingVerdict: Bool) -> Screening {
        guard !likely.isEmpty else { return self }
        return Screening(
            findings: awaitingVerdict ? findings : findings + likely,
            suspicions: awaitingVerdict ? likely + suspicions : suspicions,
            likely: awaitingVerdict ? likely : [],
            act: act,
            scamType: scamType,
            closings: closings,
            failures: failures,
            grounds: grounds,
            doubtedRules: doubtedRules
        )
    }

    /// The gravest level of all findings.
    package var level: Level { findings.first?.level ?? .none }

    /// Whether the message tells of a scam, at any level above none.
    package var isScam: Bool { findings.contains { $0.category == .scam && $0.level > .none } }

    /// Both screenings together; the act and the kind of fraud are those of the other where it knows them.
    package func merged(with other: Screening) -> Screening {
        let doubted = findings.filter { $0.level > .none && other.doubtedRules.contains($0.rule) }
        return Screening(
            findings: findings.filter { !doubted.contains($0) } + other.findings,
            suspicions: suspicions + doubted + other.suspicions,
            likely: likely + other.likely,
            act: other.act ?? act,
            scamType: other.scamType ?? scamType,
            closings: closings.union(other.closings),
            failures: failures + other.failures,
            grounds: grounds.union(other.grounds),
            doubtedRules: doubtedRules.union(other.doubtedRules)
        )
    }
}
