import Domain
import Foundation
import Reminders
import Runtime

/// Raises the alerts of missed critical medicines; each dose has one.
struct MissedMedicines: Sendable {
    /// The time after the due time in which a missed critical medicine still raises an alert, in seconds.
    private static let alertTime: TimeInterval = 86_400

    private let records: any AlertRaising
    private let figures: ReminderMetrics
    private let log: Log

    init(_ records: any AlertRaising, figures: ReminderMetrics, log: Log) {
        self.records = records
        self.figures = figures
        self.log = log
    }

    /// Counts missed occurrences.
    func count(_ missed: [Occurrence], _ reminderCase: ReminderCase) {
        for occurrence in missed {
            guard let reminder = reminderCase.reminder(of: occurrence) else { continue }
            figures.missed.add(1, reminder.kind.rawValue)
        }
    }

    /// Returns true if a missed occurrence raises an alert, even if the patient has no telephone; false for a closed
    /// patient.
    func isTold(_ occurrence: Occurrence, _ reminderCase: ReminderCase, at date: Date) -> Bool {
        guard !reminderCase.isClosed, let reminder = reminderCase.reminder(of: occurrence) else { return false }
        return reminder.isCritical && reminder.kind == .medicine
            && date.timeIntervalSince(occurrence.key.dueAt) < Self.alertTime
    }

    /// Raises the alert of a dose, once by its key.
    func tell(
        _ occurrence: Occurrence,
        _ reminderCase: ReminderCase,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let (level, summary) = reminderCase.report(of: occurrence)
        let alert = Alert(level: level, category: .medication, finding: nil, summary: summary, lateBy: 0)
        let key = "missed \(ReminderPushID(occurrence).reminder) \(ReminderPushID(occurrence).dueSecond)"
        let raised = RaisedAlert(alert, of: reminderCase.patient.id, tenant: reminderCase.patient.tenant, key: key)
        let (entry, isReplay) = try await records.raise(raised, lease: nil, by: deadline)
        if !isReplay { log.info("medicine_missed", "alert_id" ~ entry.alert.description) }
    }
}

extension ReminderCase {
    fileprivate func reminder(of occurrence: Occurrence) -> Reminder? {
        reminders.first { $0.id == occurrence.key.reminder }
    }

    /// Returns the level and the words of a missed dose; the level is higher if nobody can have heard the reminder.
    fileprivate func report(of occurrence: Occurrence) -> (level: Level, summary: String) {
        if occurrence.times[.heard] == nil, occurrence.times[.sent] == nil {
            return (.high, "No telephone has taken the reminder of an important medicine for {name}. Please call.")
        }
        if occurrence.times[.heard] == nil, heardAt != nil {
            return (.high, "The telephone of {name} has not spoken the reminder of an important medicine. Please call.")
        }
        return (.medium, "{name} has not confirmed an important medicine that was due. Please check today.")
    }
}
