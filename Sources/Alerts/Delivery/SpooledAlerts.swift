package import Conversation
import Foundation
package import Runtime
import Synchronization

/// Tells people of alerts that wait in the spool, while the system of record is away.
///
/// What is sent is kept in the spool before and after, so that the next process goes on where this one ended. An alert is told
/// once the record was asked to take it and did not, or after a second; from then on by the same policy as from the outbox,
/// to the contacts that were known when it was raised, or else to the operators. What nobody waits for is left to the
/// record's digest.
package final class SpooledAlerts: SpooledAlertDelivery, Service {
    package let name = "spooled_alerts"
    /// How long the record has to take an alert before people are told without it.
    private static let grace = Duration.seconds(1)
    private static let keepingTime = Duration.seconds(1)
    /// The most alerts that are told at once; a service that has more of them open needs its operators, and the log says so.
    private static let mostAlerts = 4_096

    private let tellings = Mutex(SpooledTellings())
    private let spool: any TurnSpool
    private let delivery: AlertDelivery
    private let told: Counter
    private let log: Log
    private let time: any TimeSource

    /// Makes what tells people; nothing is told before an alert is handed to it.
    package init(
        _ spool: any TurnSpool,
        _ delivery: AlertDelivery,
        metrics: Metrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.spool = spool
        self.delivery = delivery
        told = metrics.counter(
            "hearth_alerts_told_from_spool_total",
            "Alerts that people were told of before the record had them."
        )
        self.log = log
        self.time = time
    }

    package func start() async throws {}

    /// Stops telling: what is on its way is finished or found again by the next process.
    package func drain(by deadline: Deadline) async {
        let running = tellings.withLock { $0.stop() }
        let alarm = Alarm(at: deadline.reserving(.milliseconds(100))) { running.forEach { $0.cancel() } }
        for task in running { await task.value }
        alarm.cancel()
    }

    package func deliver(_ alerts: [Alert], of turn: Turn, knowing memory: PatientMemory?) {
        for alert in alerts {
            log.error(
                "alert_waits_in_spool",
                "alert_id" ~ alert.id.description,
                "level" ~ alert.level.rawValue,
                "category" ~ alert.category.rawValue,
                "patient_id" ~ turn.patient.description
            )
            let alertCase = AlertCase(spooled: alert, of: turn, knowing: memory)
            guard tellings.withLock({ $0.count < Self.mostAlerts }) else {
                log.error("alert_not_told", "alert_id" ~ alert.id.description, "reason" ~ "too many wait")
                continue
            }
            begin(alertCase, of: turn)
        }
    }

    package func resume(_ alertCase: AlertCase, of turn: Turn) {
        begin(alertCase, of: turn)
    }

    package func handOver(_ alerts: [AlertID]) -> [AlertCase]? {
        tellings.withLock { $0.handOver(alerts) }
    }

    package func takeBack(_ alerts: [AlertID]) {
        for alert in alerts { run(alert, after: .zero) }
    }

    package func forget(_ alerts: [AlertID]) {
        tellings.withLock { $0.forget(alerts) }
    }

    /// What nobody waits for can wait for the record.
    private func begin(_ alertCase: AlertCase, of turn: Turn) {
        guard AlertClock(alertCase.alert.level) != nil else { return }
        tellings.withLock { $0.add(alertCase, of: turn) }
        run(alertCase.alert.id, after: Self.grace)
    }

    private func run(_ alert: AlertID, after delay: Duration) {
        tellings.withLock { tellings in
            tellings.run(alert, after: delay) {
                Task { [self] in await tell(alert, after: delay) }
            }
        }
    }

    /// Tells whoever is due, again and again, until nothing more is or the record takes the alert.
    private func tell(_ alert: AlertID, after delay: Duration) async {
        var next = time.now + delay
        while true {
            do { try await time.sleep(until: next) } catch { return }
            guard let (alertCase, turn) = tellings.withLock({ $0.beginSending(alert) }) else { return }
            let wasTold = !alertCase.dispatches.isEmpty
            let (now, lookAgainAt) = await delivery.deliver(alertCase) { await keep($0, of: turn) }
            tellings.withLock { $0.endSending(now) }
            if !wasTold, !now.dispatches.isEmpty { told.add() }
            guard let lookAgainAt else { return }
            next = time.now + .nanoseconds(Int64(max(0.02, lookAgainAt.timeIntervalSince(time.date)) * 1e9))
        }
    }

    /// Keeps how far people have been told; when the spool fails too, they are told all the same.
    private func keep(_ alertCase: AlertCase, of turn: Turn) async {
        do throws(SpoolError) {
            try await spool.keep(.told(alertCase, of: turn), by: Deadline(after: Self.keepingTime, from: time.now))
        } catch {
            log.error(
                "told_not_kept",
                "alert_id" ~ alertCase.alert.id.description,
                "reason" ~ "\(error)"
            )
        }
    }
}
