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
    /// How long the disk may keep people waiting: less than a second, of the three in which the button is answered.
    private static let keepingTime = Duration.milliseconds(300)
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
        for alert in alerts { begin(AlertCase(spooled: alert, of: turn, knowing: memory), after: Self.grace) }
    }

    package func resume(_ alertCase: AlertCase, fall: FallID?) {
        take(alertCase, fall: fall, after: Self.grace)
    }

    /// Tells people of an alert that the record was asked to take in vain, and waits for the providers until a deadline.
    ///
    /// What is not done by then goes on without the caller. One that is held is told when its time is over.
    ///
    /// - Returns: The alert as it stands then, or the one that stands for it.
    func tell(_ alertCase: AlertCase, fall: FallID? = nil, by deadline: Deadline) async -> AlertCase {
        let told = OneShot<Void>()
        let alarm = Alarm(at: Deadline(after: deadline.remaining(at: time.now))) { told.settle(()) }
        defer { alarm.cancel() }
        begin(alertCase, fall: fall, after: .zero, telling: told)
        guard alertCase.state != .held else { return alertCase }
        await told.value(ifCancelled: ())
        return standing(for: alertCase.alert.id) ?? alertCase
    }

    /// An alert as it stands, or the earlier one that stands for it; nil when neither is told from here.
    func standing(for alert: AlertID) -> AlertCase? {
        tellings.withLock { tellings in
            guard let own = tellings[alert] else { return nil }
            guard own.state == .grouped, let earlier = own.groupedInto else { return own }
            return tellings[earlier] ?? own
        }
    }

    /// The patient's fall that an event may belong to; nil when none waits here.
    func openFall(of patient: PatientID) -> SpooledTellings.OpenFall? {
        tellings.withLock { $0.openFall(of: patient, at: time.date) }
    }

    /// Whether anything of a patient's falls waits for the record here.
    func holdsFall(of patient: PatientID) -> Bool { tellings.withLock { $0.holdsFall(of: patient) } }

    /// Tells people of a suspected fall now.
    func release(_ alert: AlertID) {
        if tellings.withLock({ $0.release(alert) }) != nil { run(alert, after: .zero) }
    }

    /// Ends a suspicion; whether nobody was told of it.
    func withdraw(_ alert: AlertID) -> Bool { tellings.withLock { $0.withdraw(alert) } }

    /// Logs an alert that no record holds, and has it told.
    ///
    /// - Parameter told: Settled when it has been sent for the first time.
    private func begin(
        _ alertCase: AlertCase,
        fall: FallID? = nil,
        after delay: Duration,
        telling told: OneShot<Void>? = nil
    ) {
        let alert = alertCase.alert
        log.error(
            "alert_waits_in_spool",
            "alert_id" ~ alert.id.description,
            "level" ~ alert.level.rawValue,
            "category" ~ alert.category.rawValue,
            "patient_id" ~ alertCase.patient.id.description
        )
        guard tellings.withLock({ $0.count < Self.mostAlerts }) else {
            log.error("alert_not_told", "alert_id" ~ alert.id.description, "reason" ~ "too many wait")
            told?.settle(())
            return
        }
        take(alertCase, fall: fall, after: delay, telling: told)
    }

    package func handOver(_ alerts: [AlertID]) -> [AlertCase]? {
        tellings.withLock { $0.handOver(alerts) }
    }

    package func takeBack(_ alerts: [AlertID]) {
        for alert in alerts { run(alert, after: .zero) }
    }

    package func forget(_ alerts: [AlertID]) {
        for waiter in tellings.withLock({ $0.forget(alerts) }) { waiter.settle(()) }
    }

    /// What nobody waits for can wait for the record.
    private func take(
        _ alertCase: AlertCase,
        fall: FallID?,
        after delay: Duration,
        telling told: OneShot<Void>? = nil
    ) {
        guard AlertClock(alertCase.alert.level) != nil else {
            told?.settle(())
            return
        }
        tellings.withLock { tellings in
            tellings.add(alertCase, fall: fall)
            if let told { tellings.wait(for: alertCase.alert.id, told) }
        }
        run(alertCase.alert.id, after: delay)
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
            guard let alertCase = tellings.withLock({ $0.beginSending(alert) }) else { return }
            let wasTold = !alertCase.dispatches.isEmpty
            let (now, lookAgainAt) = await delivery.deliver(alertCase) { now in
                tellings.withLock { $0.note(now) }
                await keep(now)
            }
            for waiter in tellings.withLock({ $0.endSending(now) }) { waiter.settle(()) }
            if !wasTold, !now.dispatches.isEmpty { told.add() }
            guard let lookAgainAt else { return }
            next = time.now + .nanoseconds(Int64(max(0.02, lookAgainAt.timeIntervalSince(time.date)) * 1e9))
        }
    }

    /// Keeps how far people have been told; when the spool fails too, they are told all the same.
    private func keep(_ alertCase: AlertCase) async {
        do throws(SpoolError) {
            try await spool.keep(.told(alertCase), by: Deadline(after: Self.keepingTime, from: time.now))
        } catch {
            log.error(
                "told_not_kept",
                "alert_id" ~ alertCase.alert.id.description,
                "reason" ~ "\(error)"
            )
        }
    }
}
