package import Conversation
package import Foundation
package import HTTPServing
package import Runtime

/// A request after authentication and validation.
package struct Call: Sendable {
    /// The original request.
    package let request: HTTPRequest
    /// The presented service key; nil where none is required.
    package let key: ServiceKeyID?
    /// The validated body; null when the operation takes none.
    package let body: JSONValue
    /// The key that the body has for a minute when the caller gave none; nil where no key is needed.
    package let bodyKey: String?
    /// Identity of the request: the caller's, or else a generated one.
    package let id: String
    /// This service's position in the caller's trace.
    package let trace: TraceContext
    /// The trace that records the request's stages.
    package let ledger: Trace
    /// Instant at which the whole request had arrived.
    package let arrived: Instant
    /// Wall-clock time of the arrival.
    package let date: Date
    /// Values of the given parameters, by name.
    package let values: [String: String]

    /// Returns the smaller budget that the caller requested, or the given one.
    package func budget(atMost budget: Duration) -> Duration {
        guard let text = values[Parameter.deadline.name], text.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int(text), milliseconds > 0
        else { return budget }
        return min(budget, .milliseconds(milliseconds))
    }

    /// Returns the deadline of the answer, counted from the request's arrival.
    ///
    /// A slowly arriving body may use up to half of the budget. The other half remains for reading and storing.
    package func deadline(_ budget: Duration) -> Deadline {
        let budget = self.budget(atMost: budget)
        return max(Deadline(after: budget, from: request.received), Deadline(after: budget / 2, from: arrived))
    }
}
