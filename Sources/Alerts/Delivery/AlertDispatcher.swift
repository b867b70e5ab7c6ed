package import Conversation
package import Runtime
import Synchronization

/// Drains the outbox of alerts for as long as the service runs: takes what is due, the gravest first, and works on it.
///
/// Any number of replicas drain the same outbox. An alert that is taken is leased; when its taker dies, another takes it
/// up where the record stands. Woken by an announcement, and by itself at least once a second, for escalations fall due
/// without one. While more is due than can be worked on, a few places go to what has been due longest, so that nothing
/// waits for ever behind the repetitions of what is graver.
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

    /// Makes a dispatcher.
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

    /// Says that the outbox may have work; cheap, and may be called from anywhere at any time.
    package func wake() {
        slots.wake()
    }

    package func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    /// Takes nothing more and finishes what it works on, each within what a provider may take.
    package func drain(by deadline: Deadline) async {
        slots.stop()
        guard let running = task.withLock({ $0 }) else { return }
        let alarm = Alarm(at: deadline.reserving(.milliseconds(100))) { running.cancel() }
        await running.value
        alarm.cancel()
    }

    /// Works on an alert that the caller has taken itself; returns it as it stands then, nil when the records failed.
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

    /// Takes what has been due longest, while few of that kind are worked on.
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

    /// Takes anything while there is room, and what is grave alone for the last places.
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
