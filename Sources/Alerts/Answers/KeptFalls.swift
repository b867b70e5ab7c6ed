package import Conversation
package import Runtime

/// Records patients' falls in the system of record, or on this machine while it cannot be written.
package struct KeptFalls: FallRecords {
    /// Time limit for the system of record to accept an event.
    private static let recordTime = Duration.seconds(1)

    private let records: any FallRecords
    private let outage: OutageAlerts

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
