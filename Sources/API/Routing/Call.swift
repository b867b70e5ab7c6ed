package import Conversation
package import Foundation
package import HTTPServing
package import Runtime

/// A request that is being answered, with all that was made of it.
package struct Call: Sendable {
    /// The request.
    package let request: HTTPRequest
    /// The service key that it shows; nil where none is asked for.
    package let key: ServiceKeyID?
    /// Its body, as declared; null when the operation asks for none.
    package let body: JSONValue
    /// The key that the body has for a minute, when the caller gave it none; nil where none is asked for.
    package let bodyKey: String?
    /// What the caller, or else we, call the request.
    package let id: String
    /// Our place in the caller's trace.
    package let trace: TraceContext
    /// The ledger of the request's stages.
    package let ledger: Trace
    /// When it was whole.
    package let arrived: Instant
    /// When it arrived, by the wall clock.
    package let date: Date
    /// The values beside the body that are there, by their parameters' names.
    package let values: [String: String]

    /// A smaller budget that the caller asks for; the given one otherwise.
    package func budget(atMost budget: Duration) -> Duration {
        guard let text = values[Parameter.deadline.name], text.utf8.allSatisfy(\.isDigit),
            let milliseconds = Int(text), milliseconds > 0
        else { return budget }
        return min(budget, .milliseconds(milliseconds))
    }

    /// The instant by which the call must be answered, counted from the request's arrival.
    ///
    /// A body that was slow to arrive takes up to half of the budget; the other half is there for what must be read and
    /// stored.
    package func deadline(_ budget: Duration) -> Deadline {
        let budget = self.budget(atMost: budget)
        return max(Deadline(after: budget, from: request.received), Deadline(after: budget / 2, from: arrived))
    }
}
