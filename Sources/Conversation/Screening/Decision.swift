/// What follows from a screening: who must know, and whether the model may speak.
package struct Decision: Sendable, Equatable {
    /// The level of the whole message.
    package let level: Level
    /// What must reach a human; written before the model is asked.
    package let alerts: [Alert]
    /// What the reply is if it does not come from the model.
    package let fixedReply: FixedReply?
    /// Whether the reply must begin with the scam line.
    package let warnsOfScam: Bool
    /// What the conversation carries on.
    package let state: ConversationState
    /// The languages that the reply may be in, the patient's and that of the message: "en", "es"; empty where it may be
    /// in any.
    package let languages: Set<String>
    /// The ground that the reply treads on, by this message or the one that it goes on from.
    package let grounds: Set<Ground>
    /// Whether what was found is in the hands of an alert that was written before.
    package let hasStandingAlert: Bool

    /// Makes a decision.
    package init(
        level: Level,
        alerts: [Alert],
        fixedReply: FixedReply?,
        warnsOfScam: Bool,
        state: ConversationState,
        languages: Set<String> = [],
        grounds: Set<Ground> = [],
        hasStandingAlert: Bool = false
    ) {
        self.level = level
        self.alerts = alerts
        self.fixedReply = fixedReply
        self.warnsOfScam = warnsOfScam
        self.state = state
        self.languages = languages
        self.grounds = grounds
        self.hasStandingAlert = hasStandingAlert
    }

    /// The decision with what its reply leaves for the conversation to carry on.
    package func carrying(_ state: ConversationState) -> Decision {
        Decision(
            level: level,
            alerts: alerts,
            fixedReply: fixedReply,
            warnsOfScam: warnsOfScam,
            state: state,
            languages: languages,
            grounds: grounds,
            hasStandingAlert: hasStandingAlert
        )
    }

    /// Whether somebody is told of the message, by an alert of its own or by one that stands.
    package var isAlerted: Bool { !alerts.isEmpty || hasStandingAlert }

    private static let illnesses: Set<Category> = [
        .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication, .nutrition,
    ]

    /// Whether the person feels unwell, at a level at which somebody is told.
    package var tellsOfIllness: Bool {
        alerts.contains { $0.level >= .medium && Self.illnesses.contains($0.category) }
    }

    /// Whether those who are told are the family; of abuse and neglect they are not told.
    package var tellsTheFamily: Bool {
        alerts.contains { $0.level >= .medium } && !alerts.contains { [.abuse, .neglect].contains($0.category) }
    }
}

/// A reply whose words are ours, chosen by category.
package struct FixedReply: Sendable, Equatable {
    /// The words, at most 20.
    package let text: String
    /// Whether it asks something that the next message may answer.
    package let asks: Bool

    /// Makes a fixed reply.
    package init(text: String, asks: Bool) {
        self.text = text
        self.asks = asks
    }
}
