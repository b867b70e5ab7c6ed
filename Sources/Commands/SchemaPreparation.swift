import Conversation
import PostgresStore
import Runtime

/// Migrates the schema before the service uses it.
///
/// With a private database the service cannot start without it. If a configured database is unavailable, the service
/// starts degraded; the schema is then migrated by `hearth migrate` or at the next start.
struct SchemaPreparation: Service {
    let name = "schema"
    private let address: PostgresAddress
    private let scope: Assembly.Scope
    private let log: Log

    init(_ address: PostgresAddress, scope: Assembly.Scope, log: Log) {
        self.address = address
        self.scope = scope
        self.log = log
    }

    func start() async throws {
        do throws(MigrationError) {
            let steps = try await Migrator(address).migrate()
            if !steps.isEmpty { log.notice("schema_migrated", "steps" ~ steps.count) }
        } catch {
            guard scope == .service else { throw CommandFailure(error) }
            log.error("schema_not_checked", "reason" ~ "\(error)")
        }
    }

    func drain(by deadline: Deadline) async {}
}
