package import Conversation

/// What the detector makes of a message.
package struct MessageReading: Sendable, Equatable {
    /// Whom a message is about.
    package enum Subject: String, Sendable, Codable, CaseIterable { case `self`, other, fiction }
    /// When it happens.
    package enum Time: String, Sendable, Codable, CaseIterable { case now, past, hypothetical }

    /// A category with its probability.
    package struct Candidate: Sendable, Equatable {
        /// The category.
        package let category: Conversation.Category
        /// Its probability, were the message a danger.
        package let probability: Double
    }

    /// For each level above none, the probability that the message tells of a danger of that level or above; a fraud is
    /// none of these dangers.
    package let danger: [Level: Double]
    /// What the danger is about, were it one: the likeliest first.
    ///
    /// A fraud is none of them.
    package let categories: [Candidate]
    /// The probability that it is a fraud's words, or tells of one.
    package let scam: Double
    /// For medium and high, the probability that a fraud is of that level or above, were it one.
    package let scamDanger: [Level: Double]
    /// The kind of the fraud, were it one.
    package let scamType: ScamType?
    /// Its stage, were it one.
    package let scamStage: ScamStage?
    /// Whom it is about.
    package let subject: Subject
    /// When it happens.
    package let time: Time
    /// The act of speech.
    package let act: DialogueAct
    /// Whether the message's vector was looked at.
    package let usesVector: Bool

    init(_ heads: Heads, usesVector: Bool) {
        var below = 1.0
        var danger: [Level: Double] = [:]
        for (label, probability) in heads.labels(of: "danger") {
            guard let level = Level(rawValue: label) else { continue }
            below = min(below, probability)
            danger[level] = below
        }
        self.danger = danger
        let known = heads.labels(of: "category").compactMap { label, probability in
            Conversation.Category(rawValue: label).flatMap {
                $0 == .scam ? nil : Candidate(category: $0, probability: probability)
            }
        }
        let sum = known.reduce(0) { $0 + $1.probability }
        categories = known.map {
            Candidate(category: $0.category, probability: $0.probability / max(sum, .leastNormalMagnitude))
        }
        .sorted { $0.probability > $1.probability }
        scam = heads.probability(of: "scam", in: "scam")
        scamDanger = [
            .medium: heads.probability(of: "medium", in: "scam_level"),
            .high: heads.probability(of: "high", in: "scam_level"),
        ]
        scamType = heads.likeliest(in: "scam_type", of: ScamType.self)
        scamStage = heads.likeliest(in: "scam_stage", of: ScamStage.self)
        subject = heads.likeliest(in: "subject", of: Subject.self) ?? .`self`
        time = heads.likeliest(in: "time", of: Time.self) ?? .now
        act = heads.likeliest(in: "act", of: DialogueAct.self) ?? .statement
        self.usesVector = usesVector
    }

    /// How much likelier than the next one a category is before it is named.
    static let margin = 0.2

    /// The category that a danger is told under.
    ///
    /// The likeliest one when it is so by a margin. Otherwise it is unnamed: `other_medical` when matters of the body are
    /// likelier together than the others, else `distress`.
    package var category: Conversation.Category {
        guard let first = categories.first else { return .distress }
        let next = categories.dropFirst().first?.probability ?? 0
        if first.probability - next >= Self.margin { return first.category }
        let body = categories.filter(\.category.isIllness).reduce(0) { $0 + $1.probability }
        return body >= 0.5 ? .otherMedical : .distress
    }
}
