package import Foundation

/// Carries from turn to turn what a conversation holds besides its words: open incidents, the question that was asked last,
/// and the risk so far.
package struct ConversationState: Sendable, Equatable, Codable {
    /// The open incidents, the latest evidence first.
    package var incidents: [Incident]
    /// The question that the last reply asked; nil when it asked none that the service weighs.
    package var question: OpenQuestion?
    /// The canned replies that were said last, the latest first, so that none is said twice in a row.
    package var said: [String]
    /// Suspicion by category from 0 to 1, as of `riskAt`.
    package var risk: [String: Double]
    /// The date of `risk` and `grounds`.
    package var riskAt: Date?
    /// The day, in the patient's zone, on which the companion last said that it is an AI: "2026-03-01".
    package var disclosedOn: String?
    /// The restricted topics of the last message, as of `riskAt`.
    package var grounds: Set<Ground>

    /// Makes a state; empty unless given.
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

    /// The most incidents that are kept.
    package static let mostIncidents = 4
    private static let mostSaid = 6

    /// The level of the gravest open incident.
    package var level: Level { incidents.map(\.level).max() ?? .none }

    /// Notes the canned replies that were said, the latest first.
    package mutating func note(said ids: [String]) {
        guard !ids.isEmpty else { return }
        said = Array((ids.reversed() + said).prefix(Self.mostSaid))
    }

    /// The state with the question and the incidents of another conversation, if it asked later than this one did.
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
    /// The gravest level that was decided.
    package var level: Level
    /// The date of the last evidence; an incident ends ten minutes after it.
    package var evidenceAt: Date
    /// The replies given since the last evidence, the one to the evidence included.
    package var replies: Int
    /// The checks asked since the last evidence.
    package var checks: Int
    /// Whether the person has said that help was called.
    package var isInHand: Bool
    /// Whether an alert was written for it.
    package var isAlerted: Bool

    /// Makes an incident of new evidence.
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

/// A question that a reply asked and whose answer the service weighs; only the next message can answer it.
package struct OpenQuestion: Sendable, Equatable, Codable {
    /// The subject of a question.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A danger's own question, or a check on an open incident.
        case check
        /// "Are you all right?" after a mere suspicion.
        case neutral
        /// "Are you all right now?" of a message that came late.
        case late
        /// "Shall I tell your family?" of what is no danger.
        case offer
    }

    /// The subject.
    package var kind: Kind
    /// The kind of danger that is asked about.
    package var category: Category
    /// The level that was decided when it was asked.
    package var level: Level
    /// The level that a worse answer raises the incident to; nil when no answer raises it.
    package var raises: Level?
    /// The answer that is the worse one.
    package var worse: WorseAnswer
    /// The date at which it was asked; a message spoken before it is no answer.
    package var askedAt: Date

    /// Makes a question.
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

/// The answer to a question that makes things worse.
package enum WorseAnswer: String, Sendable, Codable, CaseIterable {
    case yes, no
    /// No answer does; the question only asks what to do.
    case none
}
