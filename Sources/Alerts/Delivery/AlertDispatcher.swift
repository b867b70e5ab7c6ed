package import Conversation
package import Runtime
import Synchronization

/// Drains the outbox of alerts for as long as the service runs, highest severity first.
///
/// Any number of replicas drain the same outbox. Taking an alert leases it; when a worker dies, another resumes from
/// the recorded state. Announcements wake the dispatcher. It also polls at least once a second, because escalations
/// fall due without an announcement. Under overload a few places go to the longest due alerts, so that repetitions of
/// severe ones starve nothing.
package final class AlertDispatcher: Service {
    package let name = "alerts"

    private let records: any AlertRecords
    private let work: AlertWork
    private let settings: AlertDispatcherSettings
    private let log: Log
    private let time: any TimeSource
    private let slots: JobSlots
    private let longestDue = Atomic<Int>(0)
    private let task = Mutex<Task<Void, Never>?>(nil)

    package init(
        _ records: any AlertRecords,
        _ delivery: AlertDelivery,
        figures: AlertFigures,
        settings: AlertDispatcherSettings = AlertDispatcherSettings(),
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.records = records
        work = AlertWork(records, delivery, figures: figures, settings: settings, log: log, time: time)
        self.settings = settings
        self.log = log
        self.time = time
        slots = JobSlots(settings.concurrency)
    }

    /// Signals that the outbox may have work; cheap and safe to call from anywhere.
    package func wake() {
        slots.wake()
    }

    package func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    /// Takes nothing more and finishes the work in progress, each message within a provider's time limit.
    package func drain(by deadline: Deadline) async {
        slots.stop()
        guard let running = task.withLock({ $0 }) else { return }
        let alarm = Alarm(at: deadline.reserving(.milliseconds(100))) { running.cancel() }
        await running.value
        alarm.cancel()
    }

    /// Works on an alert that the caller has leased; returns its new state, nil when the records failed.
    package func handle(_ entry: OutboxEntry) async -> AlertCase? {
        await work.perform(entry)
    }

    private func run() async {
        await withDiscardingTaskGroup { group in
            var pause = settings.shortestPause
            var isCrowded = false
            while let free = slots.free {
                guard free > 0 else {
                    await slots.waitForSlot()
                    continue
                }
                if isCrowded, let entry = await takeLongestDue() {
                    begin(entry, isLongestDue: true, in: &group)
                    continue
                }
                let (entries, wanted) = await take(free)
                for entry in entries { begin(entry, in: &group) }
                isCrowded = wanted > 0 && entries.count == wanted
                pause = entries.isEmpty ? min(pause * 2, settings.longestPause) : settings.shortestPause
                if entries.count < wanted || wanted == 0 { await slots.waitForWork(until: time.now + pause, time) }
            }
        }
    }

    private func begin(_ entry: OutboxEntry, isLongestDue: Bool = false, in group: inout DiscardingTaskGroup) {
        slots.begin()
        if isLongestDue { longestDue.add(1, ordering: .relaxed) }
        group.addTask { [self] in
            _ = await work.perform(entry)
            if isLongestDue { longestDue.subtract(1, ordering: .relaxed) }
            slots.end()
            slots.wake()
        }
    }

    /// Takes the longest due alerts while few of that kind are in progress.
    private func takeLongestDue() async -> OutboxEntry? {
        guard longestDue.load(ordering: .relaxed) < settings.longestDue else { return nil }
        do throws(RecordsError) {
            let deadline = Deadline(after: settings.recordTime, from: time.now)
            return try await records.takeLongestDue(beyond: settings.patience, lease: settings.lease, by: deadline)
        } catch {
            if error != .cancelled { log.warning("alerts_not_taken", "reason" ~ "\(error)") }
            return nil
        }
    }

    /// Takes any alerts while there is room, and only severe ones for the reserved places.
    private func take(_ free: Int) async -> (entries: [OutboxEntry], wanted: Int) {
        let level: Level = free > settings.reserved ? .none : .high
        let wanted = level == .none ? free - settings.reserved : free
        do throws(RecordsError) {
            let deadline = Deadline(after: settings.recordTime, from: time.now)
            return (
                try await records.takeAlerts(limit: wanted, atLeast: level, lease: settings.lease, by: deadline), wanted
            )
        } catch {
            if error != .cancelled { log.warning("alerts_not_taken", "reason" ~ "\(error)") }
            return ([], wanted)
        }
    }
}
