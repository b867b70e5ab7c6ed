package import Conversation
package import Runtime
import Synchronization

/// Takes what the spool holds to the system of record when that can be written, each patient's writes in order.
///
/// A write that has arrived before, because the process ended before it could be removed, changes nothing: messages, alerts
/// and jobs have identities of their own.
package final class SpoolDrain: Service {
    /// What became of a write.
    private enum Outcome {
        case done
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
    private static let alertTime = Duration.seconds(2)
    private static let shortestPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(5)

    private let spool: DiskSpool
    private let records: any PatientRecords
    private let alerts: any SpooledAlertDelivery
    private let log: Log
    private let time: any TimeSource
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes a drain that does not run yet.
    package init(
        _ spool: DiskSpool,
        into records: any PatientRecords,
        alerts: any SpooledAlertDelivery,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.spool = spool
        self.records = records
        self.alerts = alerts
        self.log = log
        self.time = time
    }

    /// Reads what an earlier process left and begins to drain; a file that cannot be read keeps nothing from starting.
    package func start() async throws {
        do throws(SpoolError) {
            var left = SpooledAlertsLeft()
            try await spool.open(by: Deadline(after: .seconds(30))) { left.note($0) }
            for (alertCase, turn) in left.all { alerts.resume(alertCase, of: turn) }
        } catch {
            log.error("spool_not_read", "reason" ~ "\(error)")
        }
        if spool.count > 0 { log.notice("spool_found", "writes" ~ spool.count) }
        task.withLock { $0 = Task { await run() } }
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
                log.error("spooled_write_refused", "message_id" ~ entry.write.turn.id.description, "reason" ~ reason)
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
        let patients = Dictionary(grouping: entries) { $0.write.turn.patient }
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
            case .done: progress.done.append(entry)
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
        case .recorded(let turn): await hand(turn)
        case .committed(let turn):
            await outcome { () throws(RecordsError) in
                try await records.commit(turn, by: Deadline(after: Self.writeTime))
            }
        case .raised(let alert, let turn): await hand(alert, of: turn)
        // It has gone with the message before it.
        case .told: .done
        }
    }

    /// Writes a message with what people were told of its alerts meanwhile.
    ///
    /// One that carries an alert has less time: until it is over, nobody is told of the alert.
    private func hand(_ recorded: RecordedTurn) async -> Outcome {
        let own = recorded.decision.alerts.map(\.id)
        guard let told = alerts.handOver(own) else { return .later(reason: "people are being told") }
        var recorded = recorded
        recorded.told = told
        let deadline = Deadline(after: own.isEmpty ? Self.writeTime : Self.alertTime)
        let outcome = await outcome { [recorded] () throws(RecordsError) in
            try await records.record(recorded, by: deadline)
        }
        switch outcome {
        case .done: alerts.forget(own)
        // What the record refuses for good, people must hear of all the same.
        case .later, .refused: alerts.takeBack(own)
        }
        return outcome
    }

    /// Writes an alert that a model's answer has raised; its message has gone before it.
    private func hand(_ alert: Alert, of turn: Turn) async -> Outcome {
        guard alerts.handOver([alert.id]) != nil else { return .later(reason: "people are being told") }
        let outcome = await outcome { () throws(RecordsError) in
            _ = try await records.raise(
                alert,
                of: turn.id,
                patient: turn.patient,
                tenant: turn.tenant,
                by: Deadline(after: Self.alertTime)
            )
        }
        if case .done = outcome { alerts.forget([alert.id]) } else { alerts.takeBack([alert.id]) }
        return outcome
    }

    private func outcome(of body: () async throws(RecordsError) -> Void) async -> Outcome {
        do throws(RecordsError) {
            try await body()
            return .done
        } catch {
            switch error {
            case .keyTaken: return .done
            case .unavailable, .overloaded, .timedOut, .cancelled: return .later(reason: "\(error)")
            case .unknownPatient, .unreadable: return .refused(reason: "\(error)")
            case .refused(let code, _): return code.mayPass ? .later(reason: code) : .refused(reason: "\(error)")
            }
        }
    }
}

extension String {
    /// Whether a statement that PostgreSQL refused with this code may succeed later: lost connections, rolled-back
    /// transactions, want of resources, and a server that is stopping or starting (SQLSTATE classes 08, 40, 53, 57, 58).
    fileprivate var mayPass: Bool {
        ["08", "25", "40", "53", "55", "57", "58"].contains { hasPrefix($0) }
    }
}
