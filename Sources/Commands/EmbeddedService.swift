import Conversation
import Foundation
import PostgresStore
import Runtime

/// The embedded default: everything on this machine, with a private database, a local model and a demonstration
/// patient.
enum EmbeddedService {
    /// Starts everything, runs the body with the service's address and development key, and stops everything.
    ///
    /// - Parameter port: Port to listen on; 0 selects a free one.
    static func run<Value: Sendable>(
        _ settings: Settings,
        port: Int,
        _ body: @Sendable (_ address: String, _ key: String) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        let assembly = try await Assembly.make(settings, scope: .embedded, port: port)
        let signals = ShutdownSignals(on: assembly.loops.loops[0])
        let key = try DevelopmentKey.keep(in: settings.folder(.dataFolder))
        return try await assembly.run(stoppedBy: signals) { address async throws(CommandFailure) in
            try await body(address, key.text)
        }
    }
}
