package import Conversation

/// A memory that was stored by some replica, as it is announced.
package struct MemoryArrival: Sendable, Equatable {
    /// The channel on which they are announced.
    package static let channel = Memorising.channel

    /// Whose customer the patient is.
    package let tenant: TenantID
    /// Whose memory.
    package let patient: PatientID
    /// Its position.
    package let position: Int64

    /// Reads an announcement; nil when it is none.
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
