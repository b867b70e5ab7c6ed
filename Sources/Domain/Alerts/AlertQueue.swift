package import Foundation
package import Runtime

/// An alert in the operators' queue.
package struct QueuedAlert: Sendable, Equatable {
    /// The alert.
    package let line: AlertListItem
    /// The patient's name.
    package let patientName: String
    /// The time of the next escalation; nil when nobody else will be notified.
    package let nextStepAt: Date?
    /// The number of contacts whose message a provider has accepted.
    package let told: Int

    package init(line: AlertListItem, patientName: String, nextStepAt: Date?, told: Int) {
        self.line = line
        self.patientName = patientName
        self.nextStepAt = nextStepAt
        self.told = told
    }

    /// The time by which somebody should have acknowledged it; nil for a level without such a time.
    package var dueAt: Date? {
        line.level.acknowledgement.map { line.raisedAt.addingTimeInterval($0.seconds) }
    }
}

/// One alert for an operator, with the messages around it.
package struct AlertReport: Sendable, Equatable {
    /// The alert in the queue.
    package let queued: QueuedAlert
    /// The summary that recipients read.
    package let summary: String
    /// The rule that decided it; nil when it came from no message.
    package let rule: String?
    /// The message that decided it; nil when there is none.
    package let message: MessageID?
    /// The last handover note; may be empty.
    package let handoverNote: String
    /// Up to ten messages of the patient before the alert and after it, within a day, in order.
    package let messages: [MessageRecord]
    /// The alert's history, in order.
    package let history: [AlertHistoryEntry]

    package init(
        queued: QueuedAlert,
        summary: String,
        rule: String?,
        message: MessageID?,
        handoverNote: String,
        messages: [MessageRecord],
        history: [AlertHistoryEntry]
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

/// The handover of an alert from one person to another.
package struct AlertHandover: Sendable, Equatable {
    /// The person who hands it over.
    package let from: String
    /// The person who takes it.
    package let to: String
    /// A note for that person; may be empty.
    package let note: String

    package init(from: String, to: String, note: String) {
        self.from = from
        self.to = to
        self.note = note
    }
}

/// The alerts of a tenant for its operators.
package protocol AlertQueue: Sendable {
    /// Returns the alerts that nobody has acknowledged: those with the least time left first, those without a limit
    /// last.
    func unacknowledgedAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError)
        -> [QueuedAlert]

    /// Returns the acknowledged alerts that are not resolved, those acknowledged first at the front.
    func acknowledgedAlerts(
        of tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError)
        -> [QueuedAlert]

    /// Returns one alert; nil when the tenant does not have it.
    func sheet(
        of alert: AlertID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertReport?

    /// Hands an acknowledged alert to another person, and stores both names.
    ///
    /// - Returns: True if it was handed over; false when the tenant has no such acknowledged alert.
    func handOver(
        _ alert: AlertID,
        tenant: TenantID,
        _ handover: AlertHandover,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool
}
