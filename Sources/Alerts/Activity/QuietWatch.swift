package import Conversation
import Foundation
package import Runtime
import Synchronization

/// Raises alerts about patients who have been quiet for longer than usual, for as long as the service runs.
///
/// The database selects the patients that are due for a check; each is judged by their own rhythm. A quiet period
/// raises one medium alert, and one high alert when it has lasted twice as long.
package final class QuietWatch: Service {
    /// Largest number of patients checked in one pass.
    private static let patients = 50
    private static let lease = Duration.seconds(60)
    private static let recordTime = Duration.seconds(5)
    /// Pause between two passes; quiet periods last hours.
    private static let pause = Duration.seconds(30)

    /// Seconds until the next check of a patient whose alerts have all been raised.
    private static let day = 86_400.0

    package let name = "quiet_watch"
    private let records: any ActivityRecords & AlertRecords
    private let log: Log
    private let time: any TimeSource
    private let slots = JobSlots(1)
    private let task = Mutex<Task<Void, Never>?>(nil)

    package init(_ records: any ActivityRecords & AlertRecords, log: Log, time: any TimeSource = SystemTime()) {
        self.records = records
        self.log = log
        self.time = time
    }

    package func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    package func drain(by deadline: Deadline) async {
        slots.stop()
        guard let running = task.withLock({ $0 }) else { return }
        let alarm = Alarm(at: deadline.reserving(.milliseconds(100))) { running.cancel() }
        await running.value
        alarm.cancel()
    }

    private func run() async {
        while slots.free != nil, !Task.isCancelled {
            if await look() < Self.patients { await slots.waitForWork(until: time.now + Self.pause, time) }
        }
    }

    /// Checks every patient that is due, up to a limit; returns their number.
    @discardableResult
    package func look() async -> Int {
        do throws(RecordsError) {
            let due = try await records.takeQuiet(limit: Self.patients, lease: Self.lease, by: deadline)
            for quiet in due { try await judge(quiet) }
            return due.count
        } catch {
            if error != .cancelled { log.warning("quiet_not_judged", "reason" ~ "\(error)") }
            return 0
        }
    }

    private func judge(_ quiet: QuietPatient) async throws(RecordsError) {
        guard let history = try await records.activity(of: quiet, by: deadline), let began = history.instants.last
        else {
            return
        }
        let patience = ActivityRhythm(history).patience(since: began)
        let lasted = Duration.nanoseconds(Int64(time.date.timeIntervalSince(began) * 1e9))
        guard lasted >= patience else {
            let end = began.addingTimeInterval(patience.seconds)
            return try await records.expect(patience, of: quiet, lookAgainAt: end, alertedFor: nil, by: deadline)
        }
        let isLong = lasted >= patience * 2
        try await tell(quiet, since: began, level: isLong ? .high : .medium)
        let next = isLong ? time.date.addingTimeInterval(Self.day) : began.addingTimeInterval(2 * patience.seconds)
        try await records.expect(patience, of: quiet, lookAgainAt: next, alertedFor: began, by: deadline)
    }

    private func tell(_ quiet: QuietPatient, since began: Date, level: Level) async throws(RecordsError) {
        let hours = Int(time.date.timeIntervalSince(began) / 3600)
        let call = level == .high ? "Please call at once." : "Please check today."
        let alert = Alert(
            level: level,
            category: .inactivity,
            finding: nil,
            summary: "{name} has not been active for \(hours) hours, which is longer than usual. \(call)",
            lateBy: 0
        )
        let key = "quiet \(Int(began.timeIntervalSince1970)) \(level.rawValue)"
        let raised = RaisedAlert(alert, of: quiet.patient, tenant: quiet.tenant, key: key)
        let (entry, isReplay) = try await records.raise(raised, lease: nil, by: deadline)
        guard !isReplay else { return }
        log.info("patient_quiet", "alert_id" ~ entry.alert.description, "hours" ~ hours, "level" ~ level.rawValue)
    }

    private var deadline: Deadline { Deadline(after: Self.recordTime, from: time.now) }
}
