import Conversation
import Foundation

/// Composes the text of a notice from the alert's summary and details.
enum AlertWording {
    static func title(of alertCase: AlertCase, round: Int) -> String {
        let name = alertCase.patient.name
        let again = round > 0 ? "Still open: " : ""
        return switch alertCase.alert.level {
        case .critical: "\(again)\(name) needs help now"
        case .high: "\(again)Please call \(name)"
        case .medium: "Please check on \(name)"
        case .low, .none: "Today's notes about \(name)"
        }
    }

    static func body(of alertCase: AlertCase, with others: [AlertCase.Related]) -> String {
        let sentences = [alertCase.alert.summary] + others.map(\.summary)
        var seen: Set<String> = []
        var text = sentences.filter { seen.insert($0).inserted }.joined(separator: "\n")
        if let place = alertCase.details.place {
            text += " Place: https://maps.google.com/?q=\(place.latitude),\(place.longitude)"
        }
        if let battery = alertCase.details.battery, battery < 0.2 {
            text += " The telephone's battery is at \(Int(battery * 100)) %."
        }
        return text
    }

    /// Composes the operators' text: identities and facts, without content meant only for the family.
    static func operatorBody(of alertCase: AlertCase) -> String {
        let alert = alertCase.alert
        return
            "\(alert.level.rawValue) \(alert.category.rawValue) alert \(alert.id) of patient \(alertCase.patient.id) "
            + "(tenant \(alertCase.patient.tenant)), raised \(alertCase.raisedAt.formatted(.iso8601)). "
            + "\(alertCase.dispatches.count) messages sent. hearth alerts show \(alert.id)"
    }
}
