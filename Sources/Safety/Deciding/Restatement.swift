import Domain
import Foundation

/// Recognises evidence that only repeats a danger for which people were notified already.
///
/// A model's verdict names the danger of the whole conversation, and low findings add up over it. After an alert they say
/// again what is known: "the bakery smells of bread" is still `high wandering` to a model. Rules, the detector and
/// answers to questions are evidence of the message itself, so they are always news.
enum Restatement {
    /// The time for which an alert makes weaker evidence no news.
    static let window: TimeInterval = 60 * 60

    /// Returns true if a finding repeats one of the alerted dangers: of the same family, and no worse.
    static func repeats(_ finding: Finding, _ alerted: [AlertedDanger]) -> Bool {
        finding.rule == Finding.verdictRule
            && alerted.contains { $0.level >= finding.level && $0.category.family == finding.category.family }
    }
}

extension ConversationState {
    /// Forgets the alerted dangers that are older than the window.
    mutating func forgetAlerts(at date: Date) {
        alerted.removeAll { date.timeIntervalSince($0.at) > Restatement.window }
    }

    /// Returns true if an alert of a danger of the same family was written within the window.
    func hasAlerted(_ category: Domain.Category) -> Bool {
        alerted.contains { $0.category.family == category.family }
    }
}

extension Finding {
    /// The rule of findings that a model's verdict gave.
    static let verdictRule = "verdict.model"
}

/// Dangers that a model and the detector may name differently.
private enum DangerFamily {
    case body, orientation, mind, fraud, abuse, neglect, home, other
}

extension Domain.Category {
    fileprivate var family: DangerFamily {
        switch self {
        case .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication, .nutrition:
            .body
        case .confusion, .wandering: .orientation
        case .selfHarm, .distress: .mind
        case .scam: .fraud
        case .abuse: .abuse
        case .neglect: .neglect
        case .environment: .home
        case .inactivity, .emergencyButton, .noResponse, .systemDegraded, .request, .event: .other
        }
    }
}
