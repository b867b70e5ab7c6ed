package import Domain
import Foundation
import Reminders
package import Runtime

/// Works on the reminders of one claimed patient: enters due times, sends pushes, and settles missed reminders.
///
/// An occurrence is stored as being sent before its push. When a worker dies, the next one sends the push again under
/// the same identity.
package struct ReminderRound: Sendable {
    private static let passes = 8
    private static let recordTime = Duration.seconds(5)
    /// The time after its due time for which a missed critical medicine still raises an alert, in seconds.
    private static let alertTime: TimeInterval = 86_400

    private let records: any OccurrenceRecords & PatientDevices & AlertRaising
    private let delivery: ReminderDelivery
    private let planner: OccurrencePlanner
    private let lease: Duration
    private let figures: ReminderMetrics
    private let log: Log
    private let time: any TimeSource

    package init(
        _ records: any OccurrenceRecords & PatientDevices & AlertRaising,
        _ delivery: ReminderDelivery,
        planner: OccurrencePlanner = OccurrencePlanner(),
        lease: Duration,
        figures: ReminderMetrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.records = records
        self.delivery = delivery
        self.planner = planner
        self.lease = lease
        self.figures = figures
        self.log = log
        self.time = time
    }

    /// Does all due work for a claimed patient.
    package func work(on claim: ClaimedReminders) async throws(RecordsError) {
        guard let reminderCase = try await records.reminderCase(of: claim, at: time.date, by: deadline) else { return }
        try await follow(reminderCase, of: claim)
        if reminderCase.device != nil { await delivery.prepareSpeech(reminderCase.reminders, of: reminderCase.patient) }
    }

    private func follow(_ reminderCase: ReminderCase, of claim: ClaimedReminders) async throws(RecordsError) {
        var reminderCase = reminderCase
        var results: [OccurrenceProgress.Change] = []
        for pass in 1...Self.passes {
            let plan = planner.plan(reminderCase, at: time.date)
            try await tell(plan.missed, reminderCase)
            let sending = pass < Self.passes ? plan.sending.map(\.begun) : []
            var progress = OccurrenceProgress(
                entered: plan.entered,
                changed: results + plan.changed,
                plannedUntil: plan.plannedUntil,
                next: sending.isEmpty
                    ? .look(at: plan.sending.isEmpty ? plan.lookAgainAt : time.date)
                    : .keepLease(until: time.date.addingTimeInterval(lease.seconds))
            )
            for (one, before) in zip(sending, plan.sending) {
                if reminderCase.occurrences.contains(where: { $0.key == one.key }) {
                    progress.changed.append(.init(one, from: before.state))
                } else {
                    progress.entered.append(one)
                }
            }
            guard let taken = try await records.store(progress, of: claim, by: deadline), !sending.isEmpty else {
                return
            }
            reminderCase.put(plan.entered + plan.changed.map(\.occurrence) + sending)
            reminderCase.plannedUntil = plan.plannedUntil
            results = try await send(sending.filter { taken.contains($0.key) }, &reminderCase, of: claim)
            reminderCase.put(
                sending.filter { !taken.contains($0.key) }.map { $0.settled(.skipped, .skipped, at: time.date) }
            )
        }
    }

    /// Sends pushes one after another, so that the earliest due is heard first.
    private func send(
        _ sending: [Occurrence],
        _ reminderCase: inout ReminderCase,
        of claim: ClaimedReminders
    ) async throws(RecordsError) -> [OccurrenceProgress.Change] {
        var results: [OccurrenceProgress.Change] = []
        for occurrence in sending {
            guard let device = reminderCase.device,
                let reminder = reminderCase.reminders.first(where: { $0.id == occurrence.key.reminder })
            else {
                var waiting = occurrence
                waiting.state = .due
                results.append(.init(waiting, from: .sending))
                continue
            }
            let outcome = await delivery.send(occurrence, reminder, to: device, of: reminderCase.patient)
            if case .deviceGone = outcome {
                try await records.forget(device, of: claim.patient, tenant: claim.tenant, by: deadline)
                reminderCase.device = nil
            }
            results.append(.init(outcome.occurrence, from: .sending))
        }
        reminderCase.put(results.map(\.occurrence))
        return results
    }

    /// Raises the alerts of missed critical medicines before they are stored as missed; each once by its key.
    private func tell(_ missed: [Occurrence], _ reminderCase: ReminderCase) async throws(RecordsError) {
        for occurrence in missed {
            guard let reminder = reminderCase.reminders.first(where: { $0.id == occurrence.key.reminder }) else {
                continue
            }
            figures.missed.add(1, reminder.kind.rawValue)
            guard reminder.isCritical, reminder.kind == .medicine,
                reminderCase.device != nil || occurrence.attempts > 0,
                time.date.timeIntervalSince(occurrence.key.dueAt) < Self.alertTime
            else { continue }
            let isUnheard = reminderCase.isUnheard(occurrence)
            let alert = Alert(
                level: isUnheard ? .high : .medium,
                category: .medication,
                finding: nil,
                summary: isUnheard
                    ? "The telephone of {name} has not spoken the reminder of an important medicine. Please call."
                    : "{name} has not confirmed an important medicine that was due. Please check today.",
                lateBy: 0
            )
            let key = "missed \(ReminderPushID(occurrence).reminder) \(ReminderPushID(occurrence).dueSecond)"
            let raised = RaisedAlert(alert, of: reminderCase.patient.id, tenant: reminderCase.patient.tenant, key: key)
            let (entry, isReplay) = try await records.raise(raised, lease: nil, by: deadline)
            if !isReplay { log.info("medicine_missed", "alert_id" ~ entry.alert.description) }
        }
    }

    private var deadline: Deadline { Deadline(after: Self.recordTime, from: time.now) }
}

extension ReminderCase {
    /// Returns true if nobody can have heard a reminder: the telephone reports what it speaks, and has not reported
    /// this one.
    fileprivate func isUnheard(_ occurrence: Occurrence) -> Bool {
        let reports = occurrences.contains { $0.times[.heard] != nil && $0.key != occurrence.key }
        return reports && occurrence.times[.heard] == nil
    }
}

extension Occurrence {
    /// The occurrence while its push is being sent.
    fileprivate var begun: Occurrence {
        var begun = self
        begun.state = .sending
        begun.attempts += 1
        return begun
    }
}
