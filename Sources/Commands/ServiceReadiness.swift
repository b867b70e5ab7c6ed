import Conversation
import PostgresStore
import Runtime

/// State of the service's parts, for `readyz`.
struct ServiceReadiness: Readiness {
    /// Reads the state of one part, on each request.
    typealias Part = @Sendable () -> ReadinessPart

    private let checks: [Part]

    init(_ checks: [Part]) {
        self.checks = checks
    }

    var parts: [ReadinessPart] { checks.map { $0() } }
}
