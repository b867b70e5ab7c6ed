import Conversation
import Foundation

/// The alerts that are told from the spool, and where each stands: a value, under its owner's lock.
struct SpooledTellings {
    private struct Telling {
        var alertCase: AlertCase
        let turn: Turn
        var task: Task<Void, Never>?
        var isSending = false
        /// Whether the record is being asked to take it.
        var isHandedOver = false
    }

    private var tellings: [AlertID: Telling] = [:]
    private var isStopped = false

    /// How many alerts are told.
    var count: Int { tellings.count }

    /// Takes an alert on; one that is known already stays as it is.
    mutating func add(_ alertCase: AlertCase, of turn: Turn) {
        guard tellings[alertCase.alert.id] == nil else { return }
        tellings[alertCase.alert.id] = Telling(alertCase: alertCase, turn: turn)
    }

    /// Has an alert told by a task, unless one does so or it is gone.
    mutating func run(_ alert: AlertID, after delay: Duration, _ begin: () -> Task<Void, Never>) {
        guard !isStopped, var telling = tellings[alert] else { return }
        if telling.isHandedOver { telling.task = nil }
        telling.isHandedOver = false
        if telling.task == nil { telling.task = begin() }
        tellings[alert] = telling
    }

    /// The alert as it stands, with the patient's others, for whoever sends now; nil when nobody may.
    mutating func beginSending(_ alert: AlertID) -> (AlertCase, Turn)? {
        guard !isStopped, let telling = tellings[alert], !telling.isHandedOver, !Task.isCancelled else { return nil }
        tellings[alert]?.isSending = true
        var alertCase = telling.alertCase
        alertCase.related = tellings.values.filter { $0.alertCase.patient.id == alertCase.patient.id }
            .map(\.alertCase)
            .filter { $0.alert.id != alert }
            .map {
                AlertCase.Related(
                    id: $0.alert.id,
                    level: $0.alert.level,
                    category: $0.alert.category,
                    state: $0.state,
                    raisedAt: $0.raisedAt,
                    summary: $0.alert.summary,
                    event: $0.event
                )
            }
        return (alertCase, telling.turn)
    }

    /// Notes what became of the messages.
    mutating func endSending(_ alertCase: AlertCase) {
        tellings[alertCase.alert.id]?.isSending = false
        tellings[alertCase.alert.id]?.alertCase = alertCase
    }

    /// Stops telling of alerts and gives them as they stand; nil, and nothing is stopped, while one of them is being sent.
    mutating func handOver(_ alerts: [AlertID]) -> [AlertCase]? {
        let known = alerts.filter { tellings[$0] != nil }
        guard known.allSatisfy({ tellings[$0]?.isSending == false }) else { return nil }
        return known.compactMap { alert in
            tellings[alert]?.task?.cancel()
            tellings[alert]?.isHandedOver = true
            return tellings[alert]?.alertCase
        }
    }

    /// Forgets alerts that the record has taken.
    mutating func forget(_ alerts: [AlertID]) {
        for alert in alerts { tellings.removeValue(forKey: alert)?.task?.cancel() }
    }

    /// Lets nothing begin any more, and ends what only waits; the tasks that still send.
    mutating func stop() -> [Task<Void, Never>] {
        isStopped = true
        for telling in tellings.values where !telling.isSending { telling.task?.cancel() }
        return tellings.values.compactMap(\.task)
    }
}
