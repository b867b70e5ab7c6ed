/// A decision about a message: who must know, which words the service has for it, and who may answer it.
package struct Decision: Sendable, Equatable {
    /// The rule by which the words of a reply are found.
    package enum Handling: String, Sendable, Codable, CaseIterable {
        /// The canned reply is given at once; no model is asked.
        case canned
        /// A trusted model may answer if its words send for emergency help; otherwise the canned reply is given.
        case emergency
        /// A trusted model may answer if its words protect; otherwise the canned reply is given.
        case protective
        /// A trusted model may answer as it will; otherwise the canned reply is given.
        case trusted
        /// A model answers.
        case free
    }

    /// The level of the whole message.
    package var level: Level
    /// The alerts that the message raises; they are durable before the model is asked.
    package var alerts: [Alert]
    /// The service's own words for the message; nil when it has none, and a model answers.
    package var canned: CannedReply?
    /// Who may answer.
    package var handling: Handling
    /// A short check that is added to a model's reply when there is room for it; nil when none is due.
    package var tail: CannedReply?
    /// A danger that the detector suspects, and at which nobody acts without more evidence.
    package var suspicion: Finding?
    /// Whether the message tells of a scam.
    package var warnsOfScam: Bool
    /// What the conversation carries on.
    package var state: ConversationState
    /// The languages that the reply may be in, the patient's and that of the message: "en", "es"; empty where it may be
    /// in any.
    package var languages: Set<String>
    /// The restricted topics of the message, or of the one that it goes on from.
    package var grounds: Set<Ground>
    /// Whether the message asks for something, as a question or a request by the detector's hearing.
    package var asks: Bool
    /// Whether it is written as a question.
    package var isQuestion: Bool

    /// Makes a decision.
    package init(
        level: Level,
        alerts: [Alert],
        canned: CannedReply? = nil,
        handling: Handling? = nil,
        tail: CannedReply? = nil,
        suspicion: Finding? = nil,
        warnsOfScam: Bool,
        state: ConversationState,
        languages: Set<String> = [],
        grounds: Set<Ground> = [],
        asks: Bool = false,
        isQuestion: Bool = false
    ) {
        self.level = level
        self.alerts = alerts
        self.canned = canned
        self.handling = handling ?? (canned == nil ? .free : .canned)
        self.tail = tail
        self.suspicion = suspicion
        self.warnsOfScam = warnsOfScam
        self.state = state
        self.languages = languages
        self.grounds = grounds
        self.asks = asks
        self.isQuestion = isQuestion
    }

    /// Whether a model is asked for words, by the posture in which the first model answers.
    package func asksModel(in posture: Posture) -> Bool {
        canned == nil || handling == .free || handling != .canned && posture.isOpen
    }

    /// Whether the person feels unwell, at a level at which somebody is notified.
    package var tellsOfIllness: Bool { alerts.contains { $0.level >= .medium && $0.category.isIllness } }

    /// Whether the family is notified of the message; of abuse and neglect it is not.
    package var notifiesFamily: Bool {
        alerts.contains { $0.level >= .medium } && !alerts.contains { $0.category.isConfidential }
    }
}

extension Category {
    /// Whether it is a matter of the body.
    package var isIllness: Bool {
        switch self {
        case .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication, .nutrition: true
        default: false
        }
    }

    /// Whether those who are close may be the danger, so that they are not notified by default.
    package var isConfidential: Bool { self == .abuse || self == .neglect }
}

/// A model's answer as far as it is evidence about the message.
package struct HeardReply: Sendable, Equatable {
    /// The verdict that the model gave; nil when it gave none, or none that can be read.
    package let verdict: ModelVerdict?
    /// Whether the model is trusted.
    package let isTrusted: Bool
    /// Whether its words send for emergency help.
    package let sendsForHelp: Bool

    /// Makes an answer.
    package init(verdict: ModelVerdict?, isTrusted: Bool, sendsForHelp: Bool) {
        self.verdict = verdict
        self.isTrusted = isTrusted
        self.sendsForHelp = sendsForHelp
    }
}
