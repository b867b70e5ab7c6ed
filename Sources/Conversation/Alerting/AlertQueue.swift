package import Foundation
package import Runtime

/// An alert as the operators' queue shows it.
package struct QueuedAlert: Sendable, Equatable {
    /// The alert.
    package let line: AlertSummaryLine
    /// What the patient is called.
    package let patientName: String
    /// When more people are told; nil when nobody else will be.
    package let nextStepAt: Date?
    /// How many contacts have been sent a message that a provider took.
    package let told: Int

    /// Makes an entry from the record.
    package init(line: AlertSummaryLine, patientName: String, nextStepAt: Date?, told: Int) {
        self.line = line
        self.patientName = patientName
        self.nextStepAt = nextStepAt
        self.told = told
    }

    /// When somebody should have taken it on; nil for a level that nobody waits for.
    package var dueAt: Date? {
        line.level.acknowledgement.map { line.raisedAt.addingTimeInterval($0.seconds) }
    }
}

/// One alert as an operator reads it, with what was said around it.
package struct AlertSheet: Sendable, Equatable {
    /// The alert as the queue shows it.
    package let queued: QueuedAlert
    /// What those who are told read of it.
    package let summary: String
    /// The rule that decided it; nil when no message did.
    package let rule: String?
    /// The message that decided it; nil when none did.
    package let message: MessageID?
    /// What whoever took it on last wrote for the next; empty when nothing.
    package let handoverNote: String
    /// What the patient said up to ten messages before the alert and after it, within a day, in order.
    package let messages: [MessageRecord]
    /// Everything that happened to it, in order.
    package let history: [AlertHistoryLine]

    /// Makes a sheet from the record.
    package init(
        queued: QueuedAlert,
        summary: String,
        rule: String?,
        message: MessageID?,
        handoverNote: String,
        messages: [MessageRecord],
        history: [AlertHistoryLine]
    ) {
        self.queued = queued
        self.summary = summary
        self.rule = rule
        self.message = message
        self.handoverNote = handoverNote
        self.messages = messages
        self.history = history
    }
}

/// An alert that goes from one person to another.
package struct AlertHandover: Sendable, Equatable {
    /// Who hands it over.
    package let from: String
    /// Who takes it.
    package let to: String
    /// What that person should know; empty when nothing.
    package let note: String

    /// Makes a handover.
    package init(from: String, to: String, note: String) {
        self.from = from
        self.to = to
        self.note = note
    }
}

/// The alerts of a tenant as its operators work on them.
package protocol AlertQueue: Sendable {
    /// The alerts that nobody has taken on, those with the least time left first and those without a clock last.
    func waitingAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError)
        -> [QueuedAlert]

    /// The alerts that somebody has taken on and that are not over, those taken on first at the front.
    func takenAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError)
        -> [QueuedAlert]

    /// One alert; nil when the tenant has none such.
    func sheet(
        of alert: AlertID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertSheet?

    /// Hands an alert that somebody has taken on to another person, and keeps who told whom.
    ///
    /// - Returns: Whether it was handed over; false when the tenant has no such alert that somebody has taken on.
    func handOver(
        _ alert: AlertID,
        tenant: TenantID,
        _ handover: AlertHandover,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
