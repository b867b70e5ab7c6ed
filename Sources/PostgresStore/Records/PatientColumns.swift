import Conversation
import Foundation

/// The columns of a patient, in statement order, and their reader.
enum PatientColumns {
    /// Columns of `people AS p`.
    static let names = "p.id, p.tenant_id, p.display_name, p.companion_name, p.time_zone, p.language, p.tone"

    /// Reads one patient.
    static let statement = Statement(
        "patient",
        [.uuid],
        "SELECT \(names) FROM people p WHERE p.id = $1 AND p.role = 'patient'"
    )

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> Patient {
        let id = try row.readID(PatientID.self)
        let tenant = try row.readID(TenantID.self)
        let name = try row.read(String.self)
        let companion = try row.read(String.self)
        guard let zone = TimeZones.named(try row.read()) else { throw row.unreadable("is no time zone") }
        return Patient(
            id: id,
            tenant: tenant,
            name: name,
            companionName: companion,
            timeZone: zone,
            language: try row.read(),
            tone: try row.read()
        )
    }
}
