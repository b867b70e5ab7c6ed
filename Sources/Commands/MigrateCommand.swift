import PostgresStore
import Runtime

/// `hearth migrate`: migrates the database schema to a version, or prints the SQL that would run.
enum MigrateCommand: Command {
    static let name = "migrate"
    static let summary = "Migrate the database schema to the newest version, or up or down to a given one."
    static let options = [
        (name: "to", summary: "Target version; default: the newest. 0 empties the schema.")
    ]
    static let flags = [
        (name: "dry-run", summary: "Print the SQL that would run, and run nothing."),
        (name: "list", summary: "Print the migrations that have been applied."),
    ]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let version = try version(arguments)
        let embedded = try EmbeddedDatabase.existing(settings, log: Log(to: StandardErrorSink(), minimum: .warning))
        return try await embedded.whileRunning { address async throws(CommandFailure) in
            do throws(MigrationError) {
                try await migrate(Migrator(address), to: version, arguments)
                return .success
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    private static func version(_ arguments: Arguments) throws(CommandFailure) -> Int? {
        guard let text = arguments.options["to"] else { return nil }
        guard let version = Int(text), version >= 0 else {
            throw CommandFailure("--to takes a version, from 0.", .usage)
        }
        return version
    }

    private static func migrate(
        _ migrator: Migrator,
        to version: Int?,
        _ arguments: Arguments
    ) async throws(MigrationError) {
        if arguments.flags.contains("list") {
            for applied in try await migrator.applied() {
                Terminal.out("\(applied.version) \(applied.name) \(applied.checksum)")
            }
        } else if arguments.flags.contains("dry-run") {
            for step in try await migrator.plan(to: version) { Terminal.out(step.sql) }
        } else {
            let steps = try await migrator.migrate(to: version)
            for step in steps {
                Terminal.out("\(step.direction.rawValue) \(step.migration.version) \(step.migration.name)")
            }
            if steps.isEmpty { Terminal.error("The schema is already at that version.") }
        }
    }
}
