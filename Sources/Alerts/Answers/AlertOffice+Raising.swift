package import Conversation
import Foundation
package import Runtime

/// How an alarm is raised: in the record, or on this machine while the record is away.
extension AlertOffice {
    /// For how long an alert is kept for the call that raised it, before any replica may take it up.
    private static let lease = Duration.seconds(10)
    /// How long the records have to take an alarm; the rest of its time is for the providers.
    private static let recordTime = Duration.seconds(1)
    /// How many alerts may stand for each other in a row: each does for one that was not told yet.
    private static let mostStanding = 4

    /// Raises what a person or a device reports, in the records or else in the spool.
    package func raise(_ raised: RaisedAlert, by deadline: Deadline) async throws(RecordsError) -> AlertReach {
        guard !outage.holds(raised) else { return try await outage.raise(raised, by: deadline) }
        let entry: OutboxEntry
        do throws(RecordsError) {
            let limit = deadline.capped(to: Self.recordTime, from: time.now)
            let (found, isReplay) = try await records.raise(raised, lease: Self.lease, by: limit)
            if isReplay { return try await replay(raised, found, by: deadline) }
            entry = found
        } catch {
            guard error.mayPass, error != .cancelled else { throw error }
            return try await outage.raise(raised, by: deadline)
        }
        let handled = OneShot<AlertReach?>()
        // Goes on when the caller does not wait: the alert is durable, and its lease is ours.
        Task {
            guard let alertCase = await dispatcher.handle(entry) else {
                // The record has gone away since: people are told all the same, by messages of the same identities.
                return handled.settle(try? await outage.raise(raised, by: deadline))
            }
            let standing = await standing(for: alertCase, entry, by: deadline)
            return handled.settle(AlertReach(entry.alert, standing, isReplay: false))
        }
        let alarm = Alarm(at: Deadline(after: deadline.remaining(at: time.now))) { handled.settle(nil) }
        defer { alarm.cancel() }
        return await handled.value(ifCancelled: nil) ?? AlertReach(entry.alert, nil, isReplay: false)
    }

    /// Whom an alert has reached that was raised before under the same key.
    private func replay(
        _ raised: RaisedAlert,
        _ entry: OutboxEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> AlertReach {
        let alertCase = try await records.alertCase(of: entry, by: deadline)
        let standing = await standing(for: alertCase, entry, by: deadline)
        // Somebody has dealt with the first: the same press again is a new one.
        if raised.isKeyOfBody, standing?.state.isOpen != true { return try await raise(raised.anew, by: deadline) }
        return AlertReach(entry.alert, standing, isReplay: true)
    }

    /// The alert that stands for an alert: itself, unless it was grouped into an earlier one.
    private func standing(
        for alertCase: AlertCase?,
        _ entry: OutboxEntry,
        by deadline: Deadline
    ) async -> AlertCase? {
        var standing = alertCase
        for _ in 0..<Self.mostStanding {
            guard let found = standing, found.state == .grouped, let earlier = found.groupedInto else { break }
            let entry = OutboxEntry(tenant: entry.tenant, patient: entry.patient, alert: earlier, attempts: 0)
            guard let next = try? await records.alertCase(of: entry, by: deadline) else { break }
            standing = next
        }
        return standing
    }
}
