import Conversation
import PostgresStore
import Runtime

/// The state of the service's parts, for `readyz`.
struct ServiceReadiness: Readiness {
    /// What `readyz` says of one part, read each time that it is asked.
    typealias Part = @Sendable () -> ReadinessPart

    private let checks: [Part]

    init(_ checks: [Part]) {
        self.checks = checks
    }

    var parts: [ReadinessPart] { checks.map { $0() } }
}
