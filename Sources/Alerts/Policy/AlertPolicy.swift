package import Conversation
package import Foundation

/// Plans the actions for an alert: recipients, channels and the time of the next escalation.
///
/// A pure function of the record and the time. Its only memory is the recorded dispatches, so any replica reaches the
/// same plan at any time and after any crash.
package struct AlertPolicy: Sendable {
    /// Hour of the patient's local day at which the digest of low alerts is sent.
    static let digestHour = 18

    private let routing: AlertRouting

    /// Creates the policy.
    ///
    /// - Parameter channels: The configured channels.
    package init(channels: Set<AlertChannel>) {
        routing = AlertRouting(channels: channels)
    }

    /// Plans the actions that are due now.
    package func plan(_ alertCase: AlertCase, at now: Date) -> AlertPlan {
        var plan = AlertPlan(state: alertCase.state)
        guard alertCase.state.isOpen else { return plan }
        if let until = alertCase.heldUntil, alertCase.state == .held || alertCase.state == .recorded, now < until {
            plan.lookAgainAt = until
            return plan
        }
        if alertCase.state == .held, Self.isWell(alertCase) {
            (plan.state, plan.note) = (.withdrawn, "the patient was active")
            return plan
        }
        if let earlier = AlertGrouping.earlier(than: alertCase) {
            (plan.state, plan.note, plan.groupedInto) = (.grouped, "\(earlier)", earlier)
            return plan
        }
        guard let clock = AlertClock(alertCase.alert.level) else {
            DigestPlanning(routing: routing, alertCase: alertCase, now: now).fill(&plan)
            return plan
        }
        AlertEscalation(routing: routing, clock: clock, alertCase: alertCase, now: now).fill(&plan)
        return plan
    }

    /// Returns true when the patient has been active since the suspected fall.
    private static func isWell(_ alertCase: AlertCase) -> Bool {
        alertCase.lastActiveAt.map { $0 > alertCase.raisedAt } ?? false
    }
}
