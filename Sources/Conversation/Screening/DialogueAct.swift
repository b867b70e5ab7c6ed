/// The act of speech that a message performs.
package enum DialogueAct: String, Sendable, Codable, CaseIterable {
    case statement, question, request, yes, no
    /// An emergency is over or being handled, or the person says goodbye.
    case closing
    case smallTalk = "smalltalk"
}

/// The kind of a fraud.
package enum ScamType: String, Sendable, Codable, CaseIterable {
    case techSupport = "tech_support"
    case government, bank
    case familyEmergency = "family_emergency"
    case romance, lottery, charity, investment, package, utility
    case giftCard = "gift_card"
    case crypto, medicare, subscription, phishing, rental, job, other
}

/// The stage that a fraud has reached.
package enum ScamStage: String, Sendable, Codable, CaseIterable {
    case contact, pressure, payment, after
}

/// A way in which a message says that a danger is over or being handled.
package enum Closing: String, Sendable, Codable, CaseIterable {
    /// A helper is with the person, or the person is in care.
    case helpHere = "help_here"
    /// Help has been called and is on its way.
    case called
    /// There was no danger.
    case falseAlarm = "false_alarm"
    /// The person is well again.
    case recovered
    /// The person denies a thought of self-harm.
    case denied
}
