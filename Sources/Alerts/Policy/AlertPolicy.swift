package import Conversation
package import Foundation

/// Decides what is to be done about an alert: whom to tell, by which way, and when to tell the next person.
///
/// A pure function of the record and the time. Nothing is remembered between two looks but what was sent, so that any
/// replica, at any time, after any crash, comes to the same plan.
package struct AlertPolicy: Sendable {
    /// The hour of the patient's day at which the digest of low alerts is sent.
    static let digestHour = 18

    private let routing: AlertRouting

    /// Makes the policy.
    ///
    /// - Parameter channels: The ways that are configured.
    package init(channels: Set<AlertChannel>) {
        routing = AlertRouting(channels: channels)
    }

    /// What is to be done now.
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

    /// Whether a patient of whom a fall was suspected has done something since.
    private static func isWell(_ alertCase: AlertCase) -> Bool {
        alertCase.lastActiveAt.map { $0 > alertCase.raisedAt } ?? false
    }
}
