import Conversation
import Foundation
import Runtime

/// `hearth up`: starts everything on this machine and runs until a signal arrives.
enum UpCommand: Command {
    static let name = "up"
    static let summary = "Start everything here: private PostgreSQL, local model, demonstration patient, service."

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let assembly = try await Assembly.make(settings, scope: .embedded, port: settings.integer(.port))
        let signals = ShutdownSignals(on: assembly.loops.loops[0])
        return try await assembly.run(stoppedBy: signals) { address in
            greet(address, settings)
            _ = await signals.first()
            return .success
        }
    }

    private static func greet(_ address: String, _ settings: Settings) {
        let key = settings.folder(.dataFolder) + "/development-key"
        let console = DevelopmentOperator.path(in: settings.folder(.dataFolder))
        Terminal.error(
            """
            Hearth answers at \(address). Try it from another terminal:

              curl -s \(address)/api/v1/conversations/patient \\
                -H "Authorization: Bearer $(cat \(key))" -H 'Content-Type: application/json' \\
                -d '{"patient_id":"\(DemoHousehold.patient.id)","message":"Good morning, how are you?"}'

            The operators' console is at \(address)/console; the key to sign in with is in \(console).

            """
        )
    }
}
