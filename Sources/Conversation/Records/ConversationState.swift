package import Foundation

/// The state that a conversation carries from turn to turn besides its words: open incidents, the last question, and
/// the risk.
package struct ConversationState: Sendable, Equatable, Codable {
    /// The open incidents, the latest evidence first.
    package var incidents: [Incident]
    /// The question of the last reply; nil when it asked none that the service weighs.
    package var question: OpenQuestion?
    /// The last canned replies, the latest first, so that none is repeated at once.
    package var said: [String]
    /// The suspicion by category from 0 to 1, as of `riskAt`.
    package var risk: [String: Double]
    /// The date of `risk` and `grounds`.
    package var riskAt: Date?
    /// The day, in the patient's zone, of the last disclosure that the companion is an AI: "2026-03-01".
    package var disclosedOn: String?
    /// The restricted topics of the last message, as of `riskAt`.
    package var grounds: Set<Ground>

    /// Makes a state, by default empty.
    package init(
        incidents: [Incident] = [],
        question: OpenQuestion? = nil,
        said: [String] = [],
        risk: [String: Double] = [:],
        riskAt: Date? = nil,
        disclosedOn: String? = nil,
        grounds: Set<Ground> = []
    ) {
        self.incidents = incidents
        self.question = question
        self.said = said
        self.risk = risk
        self.riskAt = riskAt
        self.disclosedOn = disclosedOn
        self.grounds = grounds
    }

    /// The greatest number of stored incidents.
    package static let mostIncidents = 4
    private static let mostSaid = 6

    /// The level of the most severe open incident.
    package var level: Level { incidents.map(\.level).max() ?? .none }

    /// Adds spoken canned replies, the latest first.
    package mutating func note(said ids: [String]) {
        guard !ids.isEmpty else { return }
        said = Array((ids.reversed() + said).prefix(Self.mostSaid))
    }

    /// Returns the state with the question and the incidents of another conversation, if that one asked later.
    package func withQuestion(of other: ConversationState) -> ConversationState {
        guard let asked = other.question, riskAt.map({ $0 < asked.askedAt }) ?? true else { return self }
        var state = self
        state.question = asked
        let known = Set(incidents.map(\.category))
        state.incidents = Array(
            (other.incidents.filter { !known.contains($0.category) } + incidents).prefix(Self.mostIncidents)
        )
        return state
    }
}

/// A danger that somebody was alerted to, while the conversation still returns to it.
package struct Incident: Sendable, Equatable, Codable {
    /// The kind of danger.
    package var category: Category
    /// The most severe level that was decided.
    package var level: Level
    /// The date of the last evidence; an incident ends ten minutes after it.
    package var evidenceAt: Date
    /// The number of replies since the last evidence, including the reply to it.
    package var replies: Int
    /// The checks asked since the last evidence.
    package var checks: Int
    /// True if the person has said that help was called.
    package var isInHand: Bool
    /// True if an alert was written for it.
    package var isAlerted: Bool

    package init(
        category: Category,
        level: Level,
        evidenceAt: Date,
        replies: Int = 0,
        checks: Int = 0,
        isInHand: Bool = false,
        isAlerted: Bool = false
    ) {
        self.category = category
        self.level = level
        self.evidenceAt = evidenceAt
        self.replies = replies
        self.checks = checks
        self.isInHand = isInHand
        self.isAlerted = isAlerted
    }
}

/// A question of a reply whose answer the service weighs; only the next message can answer it.
package struct OpenQuestion: Sendable, Equatable, Codable {
    /// The subject of a question.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The question of a danger, or a check on an open incident.
        case check
        /// "Are you all right?" after a mere suspicion.
        case neutral
        /// "Are you all right now?" for a message that came late.
        case late
        /// "Shall I tell your family?" for something that is no danger.
        case offer
    }

    /// The subject.
    package var kind: Kind
    /// The danger in question.
    package var category: Category
    /// The level at the time of the question.
    package var level: Level
    /// The level to which a worse answer raises the incident; nil when no answer raises it.
    package var raises: Level?
    /// The answer that means more danger.
    package var worse: WorseAnswer
    /// The time of the question; a message spoken before it is no answer.
    package var askedAt: Date

    package init(
        kind: Kind,
        category: Category,
        level: Level,
        raises: Level? = nil,
        worse: WorseAnswer = .none,
        askedAt: Date
    ) {
        self.kind = kind
        self.category = category
        self.level = level
        self.raises = raises
        self.worse = worse
        self.askedAt = askedAt
    }
}

/// The answer to a question that means more danger.
package enum WorseAnswer: String, Sendable, Codable, CaseIterable {
    case yes, no
    /// No answer means more danger; the question only asks for a wish.
    case none
}
