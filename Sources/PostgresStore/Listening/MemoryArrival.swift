package import Conversation

/// An announcement that a replica stored a memory.
package struct MemoryArrival: Sendable, Equatable {
    /// Channel of these announcements.
    package static let channel = Memorising.channel

    /// The patient's tenant.
    package let tenant: TenantID
    /// The patient whose memory was stored.
    package let patient: PatientID
    /// Position of the memory.
    package let position: Int64

    /// Parses an announcement; returns nil when it is malformed.
    package init?(payload: String) {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count == 3, let tenant = TenantID(parts[0]), let patient = PatientID(parts[1]),
            let position = Int64(parts[2])
        else { return nil }
        self.tenant = tenant
        self.patient = patient
        self.position = position
    }
}
