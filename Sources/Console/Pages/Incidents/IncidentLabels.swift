import Domain

/// Display names of alerts, categories, channels and states.
enum IncidentLabels {
    /// Name of a category: "Self harm", "Emergency button".
    static func name(of category: Domain.Category) -> String {
        let words = category.rawValue.replacing("_", with: " ")
        return Wording.say(words.prefix(1).uppercased() + words.dropFirst())
    }

    /// The categories of an incident, the gravest first: "Fall, Cardiac".
    static func categories(of incident: OpenIncident) -> String {
        var names: [String] = []
        for alert in incident.alerts {
            let name = name(of: alert.line.category)
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: ", ")
    }

    /// State of an alert as a clause without a full stop.
    static func state(_ state: AlertState) -> Label {
        switch state {
        case .recorded: "recorded, nobody notified yet"
        case .held: "waiting for the patient's confirmation"
        case .waiting: "waiting for the daily digest"
        case .notified: "contacts notified"
        case .escalated: "escalated to the operators"
        case .acknowledged: "acknowledged"
        case .resolved: "resolved"
        case .withdrawn: "withdrawn before anybody was notified"
        case .grouped: "grouped with an earlier alert"
        case .digested: "sent in a digest"
        case .exhausted: "exhausted, nobody acknowledged"
        }
    }

    /// Description of an event, by its name in the history.
    static func event(_ name: String) -> Label {
        if let known = AlertState(rawValue: name) { return state(known) }
        return switch name {
        case "handed_over": "handed over"
        case "handover_accepted": "handover accepted"
        case "handover_returned": "handover returned"
        case "noted": "note"
        case "retrying": "retry scheduled"
        case "accepted": "accepted by the provider"
        case "seen": "opened"
        default: Label(name.replacing("_", with: " "))
        }
    }

    /// The delivery state of a notification.
    static func dispatch(_ state: Dispatch.State) -> Label {
        switch state {
        case .sending: "being sent"
        case .retrying: "to be sent again"
        case .accepted: "sent"
        case .delivered: "delivered"
        case .seen: "opened"
        case .failed: "failed"
        }
    }

    /// A channel in a sentence: "by text message".
    static func channel(_ channel: AlertChannel) -> Label {
        switch channel {
        case .push: "app"
        case .sms: "text message"
        case .email: "mail"
        case .slack: "Slack"
        case .webhook: "webhook"
        }
    }

    /// The outcome of an alert.
    static func outcome(_ outcome: AlertOutcome) -> Label {
        switch outcome {
        case .trueAlarm: "True alarm"
        case .falseAlarm: "False alarm"
        case .test: "Test alarm"
        }
    }
}
