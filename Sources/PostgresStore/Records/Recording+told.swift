import Conversation
import Foundation
import Runtime

/// Records the notifications that were sent before the message could be recorded.
extension Recording {
    /// Writes the dispatches as they were sent and leaves the alert to the outbox from then on.
    static func calls(told alertCase: AlertCase) -> [StatementCall] {
        guard !alertCase.dispatches.isEmpty else { return [] }
        let entry = OutboxEntry(
            tenant: alertCase.patient.tenant,
            patient: alertCase.patient.id,
            alert: alertCase.alert.id,
            attempts: 0
        )
        let progress = AlertProgress(
            state: alertCase.state,
            decided: alertCase.dispatches,
            changed: alertCase.dispatches,
            numbers: numbers(alertCase),
            transitions: transitions(alertCase),
            endsHold: alertCase.alert.category == .fall,
            next: .lookAgain(after: .zero)
        )
        return Alerting.calls(for: progress, entry)
    }

    private static func numbers(_ alertCase: AlertCase) -> [DispatchID: String] {
        var numbers: [DispatchID: String] = [:]
        for dispatch in alertCase.dispatches where dispatch.channel == .sms {
            numbers[dispatch.id] = alertCase.contacts.first { $0.contact.id == dispatch.recipient.contact }?.phone
        }
        return numbers
    }

    /// Returns the alert's transitions as they happened.
    private static func transitions(_ alertCase: AlertCase) -> [AlertTransition] {
        var transitions: [AlertTransition] = []
        for dispatch in alertCase.dispatches {
            transitions.append(AlertTransition(.dispatch(dispatch.id, .sending), by: "spool", at: dispatch.createdAt))
            guard let at = dispatch.sentAt ?? dispatch.failedAt ?? dispatch.retryAt else { continue }
            transitions.append(
                AlertTransition(
                    .dispatch(dispatch.id, dispatch.state),
                    by: dispatch.channel.rawValue,
                    note: dispatch.reason ?? "",
                    at: at
                )
            )
        }
        let began = alertCase.dispatches.map(\.createdAt).min() ?? alertCase.raisedAt
        let note = "told before it was recorded"
        transitions.append(AlertTransition(.alert(alertCase.state), by: "spool", note: note, at: began))
        return transitions.sorted { $0.at < $1.at }
    }
}
