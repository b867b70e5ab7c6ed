package import Conversation
package import Runtime

/// The falls of patients: in the record, or on this machine while the record cannot be written.
package struct KeptFalls: FallRecords {
    /// How long the record has to take an event.
    private static let recordTime = Duration.seconds(1)

    private let records: any FallRecords
    private let outage: OutageAlerts

    /// Makes falls that outlast an outage of the record.
    package init(_ records: any FallRecords, _ outage: OutageAlerts) {
        self.records = records
        self.outage = outage
    }

    package func take(_ event: FallEvent, by deadline: Deadline) async throws(RecordsError) -> FallOutcome {
        guard !outage.holds(event) else { return try await outage.take(event, by: deadline) }
        do throws(RecordsError) {
            return try await records.take(event, by: deadline.capped(to: Self.recordTime, from: .now))
        } catch {
            guard error.mayPass, error != .cancelled else { throw error }
            return try await outage.take(event, by: deadline)
        }
    }
}
