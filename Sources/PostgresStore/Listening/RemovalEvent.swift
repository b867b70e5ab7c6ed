package import Domain

/// The announcement of messages that a tenant keeps no longer, over the channel of ``PatientEvent``.
///
/// `removed TENANT PREVIOUS AT PATIENT…`: the times in microseconds, 0 for no removal before. The last release does not know the
/// word and leaves it alone.
package enum RemovalEvent {
    static let word = "removed"

    /// Parses an announcement; returns nil when it is another or malformed.
    package static func removal(payload: String) -> MemoryRemoval? {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count >= 5, parts.count <= 4 + RetentionKind.largestStep, parts[0] == word,
            let tenant = TenantID(parts[1]), let previous = RemovalTime(parts[2]), let at = RemovalTime(parts[3])
        else { return nil }
        let patients = parts[4...].compactMap { PatientID($0) }
        guard patients.count == parts.count - 4, previous >= 0, at > 0 else { return nil }
        return MemoryRemoval(tenant: tenant, previous: previous == 0 ? nil : previous, at: at, patients: patients)
    }
}
