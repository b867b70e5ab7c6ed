import Conversation
import Foundation
import Runtime

/// The alerts that are told from the spool, and where each stands: a value, under its owner's lock.
struct SpooledTellings {
    /// The fall of a patient that goes on.
    struct OpenFall {
        let fall: FallID
        let alert: AlertID
        /// Whether the patient may still say that all is well.
        let isCandidate: Bool
    }

    private struct Telling {
        var alertCase: AlertCase
        let fall: FallID?
        var task: Task<Void, Never>?
        var isSending = false
        /// Whether the record is being asked to take it.
        var isHandedOver = false
        /// Whoever waits to hear whom it has reached.
        var waiting: [OneShot<Void>] = []
    }

    /// How long a fall that people were told of goes on: what a device feels meanwhile belongs to it.
    private static let fallTime: TimeInterval = 10 * 60

    private var tellings: [AlertID: Telling] = [:]
    private var isStopped = false

    /// How many alerts are told.
    var count: Int { tellings.count }

    /// An alert as it stands; nil when it is not told from here.
    subscript(_ alert: AlertID) -> AlertCase? { tellings[alert]?.alertCase }

    /// Takes an alert on; one that is known already stays as it is.
    mutating func add(_ alertCase: AlertCase, fall: FallID?) {
        guard tellings[alertCase.alert.id] == nil else { return }
        tellings[alertCase.alert.id] = Telling(alertCase: alertCase, fall: fall)
    }

    /// Has somebody told when an alert has been sent for the first time; at once when it has been.
    mutating func wait(for alert: AlertID, _ waiter: OneShot<Void>) {
        guard let telling = tellings[alert], telling.alertCase.state != .grouped,
            telling.isSending || telling.alertCase.dispatches.isEmpty
        else {
            waiter.settle(())
            return
        }
        tellings[alert]?.waiting.append(waiter)
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
    mutating func beginSending(_ alert: AlertID) -> AlertCase? {
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
        return alertCase
    }

    /// Notes what is being sent.
    mutating func note(_ alertCase: AlertCase) {
        tellings[alertCase.alert.id]?.alertCase = alertCase
    }

    /// Notes what became of the messages; who waited for that.
    mutating func endSending(_ alertCase: AlertCase) -> [OneShot<Void>] {
        tellings[alertCase.alert.id]?.isSending = false
        tellings[alertCase.alert.id]?.alertCase = alertCase
        defer { tellings[alertCase.alert.id]?.waiting = [] }
        return tellings[alertCase.alert.id]?.waiting ?? []
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

    /// Forgets alerts that the record has taken; who waited for them.
    mutating func forget(_ alerts: [AlertID]) -> [OneShot<Void>] {
        alerts.flatMap { alert in
            let telling = tellings.removeValue(forKey: alert)
            telling?.task?.cancel()
            return telling?.waiting ?? []
        }
    }

    /// Lets nothing begin any more, and ends what only waits; the tasks that still send.
    mutating func stop() -> [Task<Void, Never>] {
        isStopped = true
        for telling in tellings.values where !telling.isSending { telling.task?.cancel() }
        return tellings.values.compactMap(\.task)
    }

    // MARK: Falls

    /// The patient's fall that an event may belong to; nil when there is none.
    func openFall(of patient: PatientID, at date: Date) -> OpenFall? {
        let falls = tellings.values.filter { telling in
            guard telling.fall != nil, telling.alertCase.patient.id == patient else { return false }
            let isFresh = date.timeIntervalSince(telling.alertCase.raisedAt) < Self.fallTime
            return telling.alertCase.state == .held || telling.alertCase.state.isOpen && isFresh
        }
        guard let last = falls.max(by: { $0.alertCase.raisedAt < $1.alertCase.raisedAt }), let fall = last.fall else {
            return nil
        }
        let isCandidate = last.alertCase.state == .held && !last.isSending
        return OpenFall(fall: fall, alert: last.alertCase.alert.id, isCandidate: isCandidate)
    }

    /// Whether anything of a patient's falls waits for the record.
    func holdsFall(of patient: PatientID) -> Bool {
        tellings.values.contains { $0.fall != nil && $0.alertCase.patient.id == patient }
    }

    /// Lets a suspected fall be told now; the case, nil when it is told already.
    mutating func release(_ alert: AlertID) -> AlertCase? {
        guard let telling = tellings[alert], telling.alertCase.state == .held, !telling.isSending else { return nil }
        telling.task?.cancel()
        tellings[alert]?.task = nil
        tellings[alert]?.alertCase = telling.alertCase.released
        return tellings[alert]?.alertCase
    }

    /// Ends a suspicion; whether nobody was told of it.
    mutating func withdraw(_ alert: AlertID) -> Bool {
        guard let telling = tellings[alert], telling.alertCase.state == .held, !telling.isSending else { return false }
        telling.task?.cancel()
        tellings[alert]?.task = nil
        tellings[alert]?.alertCase.state = .withdrawn
        return true
    }
}
