import Conversation
import PostgresStore
import Runtime

/// Brings the schema up to date before the service uses it, and in the embedded default makes a patient to talk as.
///
/// With a database of its own the service cannot start without it. A configured database that is away only degrades the
/// start: the schema is brought up to date by `hearth migrate`, or at the next start.
struct SchemaPreparation: Service {
    let name = "schema"
    private let address: PostgresAddress
    private let scope: Assembly.Scope
    private let settings: Settings
    private let log: Log

    init(_ address: PostgresAddress, scope: Assembly.Scope, settings: Settings, log: Log) {
        self.address = address
        self.scope = scope
        self.settings = settings
        self.log = log
    }

    func start() async throws {
        do throws(MigrationError) {
            let steps = try await Migrator(address).migrate()
            if !steps.isEmpty { log.notice("schema_migrated", "steps" ~ steps.count) }
        } catch {
            guard scope == .service else { throw CommandFailure("\(error)") }
            log.error("schema_not_checked", "reason" ~ "\(error)")
        }
    }

    func drain(by deadline: Deadline) async {}
}

/// Makes the demonstration patient and the development key of the embedded default.
struct Demonstration: Service {
    let name = "demonstration"
    private static let time = Duration.seconds(10)
    private let roster: any PatientRoster
    private let keys: any ServiceKeyRecords
    private let settings: Settings

    init(_ roster: any PatientRoster, _ keys: any ServiceKeyRecords, _ settings: Settings) {
        self.roster = roster
        self.keys = keys
        self.settings = settings
    }
}
