package import Conversation
import Foundation
package import Runtime
import Synchronization

/// What takes every kind of write that the spool holds.
package typealias SpooledRecords = PatientRecords & AlertRaising & FallRecords

/// Takes what the spool holds to the system of record when that can be written, each patient's writes in order.
///
/// A write that has arrived before, because the process ended before it could be removed, changes nothing: messages, alerts
/// and jobs have identities of their own.
package final class SpoolDrain: Service {
    /// What became of a write.
    private enum Outcome {
        case done
        /// Something is recorded under its key: a message's own, from another replica.
        case keyTaken
        case refused(reason: String)
        /// The system of record is away; this patient's later writes wait too.
        case later(reason: String)
    }

    private struct Progress {
        var done: [SpoolFile.Entry] = []
        var refused: [(entry: SpoolFile.Entry, reason: String)] = []
        var delay: String?
    }

    package let name = "spool"
    private static let page = 256
    private static let writeTime = Duration.seconds(5)
    private static let knowingTime = Duration.milliseconds(100)
    private static let alertTime = Duration.seconds(2)
    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(5)

    private let spool: DiskSpool
    private let records: any SpooledRecords
    private let alerts: any SpooledAlertDelivery
    private let known: any KnownPatients
    private let log: Log
    private let time: any TimeSource
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes a drain that does not run yet.
    package init(
        _ spool: DiskSpool,
        into records: any SpooledRecords,
        alerts: any SpooledAlertDelivery,
        knowing known: any KnownPatients,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.spool = spool
        self.records = records
        self.alerts = alerts
        self.known = known
        self.log = log
        self.time = time
    }

    /// Reads what an earlier process left and begins to drain; a file that cannot be read keeps nothing from starting.
    package func start() async throws {
        do throws(SpoolError) {
            var left = SpooledAlertsLeft()
            try await spool.open(by: Deadline(after: .seconds(30))) { left.note($0) }
            for (alertCase, fall) in left.all { alerts.resume(await whole(alertCase), fall: fall) }
        } catch {
            log.error("spool_not_read", "reason" ~ "\(error)")
        }
        if spool.count > 0 { log.notice("spool_found", "writes" ~ spool.count) }
        task.withLock { $0 = Task { await run() } }
    }

    /// A case with those who may be told, where what was kept of it does not name them.
    private func whole(_ alertCase: AlertCase) async -> AlertCase {
        let patient = alertCase.patient
        guard alertCase.contacts.isEmpty, patient.name.isEmpty,
            let memory = await known.known(patient.id, of: patient.tenant, by: Deadline(after: Self.knowingTime))
        else { return alertCase }
        return alertCase.knowing(memory)
    }

    /// Stops draining and closes the file; what it holds waits for the next start.
    package func drain(by deadline: Deadline) async {
        let running = task.withLock { $0 }
        running?.cancel()
        await running?.value
        await spool.close(by: deadline)
    }

    private func run() async {
        var pause = Self.shortestPause
        while !Task.isCancelled {
            await spool.waitForWrites()
            if await pass() {
                pause = Self.shortestPause
            } else {
                do { try await time.sleep(until: time.now + pause) } catch { return }
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// Takes one page; whether all of it was settled.
    func pass() async -> Bool {
        do throws(SpoolError) {
            let deadline = Deadline(after: Self.writeTime)
            let entries = try await spool.first(Self.page, by: deadline)
            let progress = await write(entries)
            for (entry, reason) in progress.refused {
                log.error("spooled_write_refused", "subject" ~ entry.write.subject, "reason" ~ reason)
            }
            if !progress.done.isEmpty || !progress.refused.isEmpty {
                try await spool.settle(progress.done, refused: progress.refused, by: Deadline(after: Self.writeTime))
                log.notice("spool_drained", "writes" ~ progress.done.count, "waiting" ~ spool.count)
            }
            if let reason = progress.delay { log.debug("spool_waits", "reason" ~ reason) }
            return progress.delay == nil
        } catch {
            if error != .cancelled { log.error("spool_not_drained", "reason" ~ "\(error)") }
            return false
        }
    }

    /// Writes a page, patients side by side.
    private func write(_ entries: [SpoolFile.Entry]) async -> Progress {
        let patients = Dictionary(grouping: entries, by: \.write.patient)
        return await withTaskGroup(of: Progress.self) { group in
            for own in patients.values { group.addTask { await self.writeInOrder(own) } }
            var all = Progress()
            for await progress in group {
                all.done += progress.done
                all.refused += progress.refused
                all.delay = all.delay ?? progress.delay
            }
            return all
        }
    }

    private func writeInOrder(_ entries: [SpoolFile.Entry]) async -> Progress {
        var progress = Progress()
        for entry in entries {
            switch await write(entry.write) {
            case .done, .keyTaken: progress.done.append(entry)
            case .refused(let reason): progress.refused.append((entry, reason))
            case .later(let reason):
                progress.delay = reason
                return progress
            }
        }
        return progress
    }

    private func write(_ write: SpooledWrite) async -> Outcome {
        switch write {
        case .recorded(let recorded): await hand(recorded)
        case .committed(let turn):
            await outcome { () throws(RecordsError) in
                try await records.commit(turn, by: Deadline(after: Self.writeTime))
            }
        case .raised(let alert, let turn): await hand(alert, of: turn)
        case .alarm(let raised, let alertCase): await hand(raised, at: alertCase.raisedAt)
        case .fell(let event, let alertCase): await hand(event, alertCase)
        // It has gone with what was before it.
        case .told: .done
        }
    }

    /// Writes a message with what people were told of its alerts meanwhile.
    private func hand(_ recorded: RecordedTurn) async -> Outcome {
        await hand(recorded.decision.alerts.map(\.id)) { told, deadline throws(RecordsError) in
            var recorded = recorded
            recorded.told = told
            try await records.record(recorded, by: deadline)
        }
    }

    /// Writes an alert that no message decided, with what people were told of it meanwhile.
    private func hand(_ raised: RaisedAlert, at date: Date) async -> Outcome {
        await refusingTakenKeys {
            await hand([raised.alert.id]) { told, deadline throws(RecordsError) in
                var raised = raised
                raised.raisedAt = date
                raised.told = told.first
                _ = try await records.raise(raised, lease: nil, by: deadline)
            }
        }
    }

    /// Writes what a device said of a fall, with what people were told of it meanwhile.
    private func hand(_ event: FallEvent, _ alertCase: AlertCase?) async -> Outcome {
        await refusingTakenKeys {
            await hand(alertCase.map { [$0.alert.id] } ?? []) { told, deadline throws(RecordsError) in
                var event = event
                event.told = told.first
                _ = try await records.take(event, by: deadline)
            }
        }
    }

    /// Writes something that carries alerts, and stops telling of them meanwhile.
    ///
    /// What carries one has less time: until it is over, nobody is told of it.
    private func hand(
        _ own: [AlertID],
        _ write: ([AlertCase], Deadline) async throws(RecordsError) -> Void
    ) async -> Outcome {
        guard let told = alerts.handOver(own) else { return .later(reason: "people are being told") }
        let deadline = Deadline(after: own.isEmpty ? Self.writeTime : Self.alertTime)
        let outcome = await outcome { () throws(RecordsError) in try await write(told, deadline) }
        switch outcome {
        case .done: alerts.forget(own)
        // What the record refuses for good, people must hear of all the same.
        case .later, .refused, .keyTaken: alerts.takeBack(own)
        }
        return outcome
    }

    /// Writes an alert that a model's answer has raised; its message has gone before it.
    private func hand(_ alert: Alert, of turn: Turn) async -> Outcome {
        await hand([alert.id]) { _, deadline throws(RecordsError) in
            _ = try await records.raise(alert, of: turn.id, patient: turn.patient, tenant: turn.tenant, by: deadline)
        }
    }

    /// Under an alarm's or a fall's key that is taken there is something else: it does not stand for this.
    private func refusingTakenKeys(_ hand: () async -> Outcome) async -> Outcome {
        let outcome = await hand()
        if case .keyTaken = outcome { return .refused(reason: "its key was used for something else") }
        return outcome
    }

    private func outcome(of body: () async throws(RecordsError) -> Void) async -> Outcome {
        do throws(RecordsError) {
            try await body()
            return .done
        } catch {
            if case .keyTaken = error { return .keyTaken }
            return error.mayPass ? .later(reason: "\(error)") : .refused(reason: "\(error)")
        }
    }
}
