import Domain
import Foundation

/// Recognises weak evidence that only repeats a danger for which people were notified already.
///
/// After an alert the talk stays with the danger: "the bakery smells of bread" is still `high wandering` to a model,
/// and "she's dialling for me" still sounds grave to the detector. Rules, answers to questions and what the detector is
/// certain of are evidence of the message itself, so they are always news. Three other findings are no news:
///
/// - one that names no category or the alerted one;
/// - one that names what an alert of the same family left open;
/// - any but self-harm in a message that says how the danger ended.
enum Restatement {
    /// The time for which an alert makes weaker evidence no news.
    static let window: TimeInterval = 60 * 60
    /// The probability from which the detector's own finding is always news.
    private static let certain = 0.97

    /// Returns true if a finding repeats one of the alerted dangers: of the same kind, and no worse.
    ///
    /// - Parameter isEnding: True if the message says that help has come or all is over.
    static func repeats(_ finding: Finding, _ alerted: [AlertedDanger], isEnding: Bool) -> Bool {
        alerted.contains { danger in
            guard danger.level >= finding.level else { return false }
            let isSameFamily = danger.category.family == finding.category.family
            if finding.rule == Finding.verdictRule { return isSameFamily }
            guard finding.isDetected, finding.confidence < certain else { return false }
            if danger.category == finding.category || isEnding && finding.category != .selfHarm { return true }
            return !finding.category.isSpecific && danger.category != .scam
                || !danger.category.isSpecific && isSameFamily && finding.category != .selfHarm
        }
    }

    /// Returns true if a suspicion needs no question, because people were notified of a danger already.
    ///
    /// A suspected fraud is still asked about after another danger, and any other danger after a fraud. Self-harm is
    /// asked about after all but a danger of the mind.
    static func covers(_ suspicion: Finding, _ alerted: [AlertedDanger]) -> Bool {
        alerted.contains { danger in
            if suspicion.category == .selfHarm { return danger.category.family == .mind }
            return (suspicion.category == .scam) == (danger.category == .scam)
        }
    }

    /// Returns true if a model's words that send for help are no news.
    ///
    /// After an alert, other than of fraud, it goes on to do so. They are news again where the message gives any
    /// reason.
    static func coversHelp(_ decision: Decision) -> Bool {
        decision.suspicion == nil && decision.level == .none
            && decision.state.alerted.contains { $0.category != .scam }
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

    /// True if the detector found it, and no rule.
    fileprivate var isDetected: Bool { rule.hasPrefix("detector.") }
}

/// Dangers that a model and the detector may name differently.
private enum DangerFamily {
    case body, orientation, mind, fraud, abuse, neglect, home, other
}

extension Domain.Category {
    /// True if the category names what is wrong, so that another one contradicts it.
    var isSpecific: Bool { ![.otherMedical, .distress].contains(self) }

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
