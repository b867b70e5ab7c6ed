import Runtime

/// `hearth serve`: runs only the service, with the configured database and model.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Serve with the configured database and model; starts degraded when one is away."

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        guard settings.text(.databaseURL) != nil else {
            throw CommandFailure(
                "hearth serve needs a database: set DATABASE_URL, or use hearth up, which brings its own.",
                .missing
            )
        }
        let assembly = try await Assembly.make(settings, scope: .service, port: settings.integer(.port))
        let signals = ShutdownSignals(on: assembly.loops.loops[0])
        return try await assembly.run(stoppedBy: signals) { _ in
            _ = await signals.first()
            return .success
        }
    }
}
