import Conversation

/// Display names of alerts, categories and states.
enum AlertWords {
    /// Name of a category: "Self harm", "Emergency button".
    static func name(of category: Conversation.Category) -> String {
        let words = category.rawValue.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// State of an alert as a clause without a full stop.
    static func state(_ state: AlertState) -> String {
        switch state {
        case .recorded: "nobody has been asked yet"
        case .held: "waits for the patient to say that all is well"
        case .waiting: "waits for the day's digest"
        case .notified: "contacts have been sent messages"
        case .escalated: "the operators have been asked"
        case .acknowledged: "somebody has taken it on"
        case .resolved: "it is over"
        case .withdrawn: "the patient was well before anybody was told"
        case .grouped: "an earlier alert stands for it"
        case .digested: "it was told in a digest"
        case .exhausted: "everybody was asked and nobody answered"
        }
    }

    /// Description of an event, by its name in the history.
    static func event(_ name: String) -> String {
        if let known = AlertState(rawValue: name) { return state(known) }
        return switch name {
        case "handed_over": "handed over"
        case "sending": "a message is being sent"
        case "retrying": "a message is sent again later"
        case "accepted": "a provider has taken the message"
        case "delivered": "the message has arrived"
        case "seen": "the message was opened"
        case "failed": "the message did not get through"
        default: name.replacing("_", with: " ")
        }
    }
}
