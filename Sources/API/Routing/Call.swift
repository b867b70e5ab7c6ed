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
    /// What the caller, or else we, call the request.
    package let id: String
    /// Our place in the caller's trace.
    package let trace: TraceContext
    /// The ledger of the request's stages.
    package let ledger: Trace
    /// When it arrived, by the wall clock.
    package let date: Date
    /// The values beside the body that are there, by their parameters' names.
    package let values: [String: String]

    /// A smaller budget that the caller asks for; the given one otherwise.
    package func budget(atMost budget: Duration) -> Duration {
        values[Parameter.deadline.name].flatMap { Int($0) }.map { min(budget, .milliseconds($0)) } ?? budget
    }

    /// The instant by which the call must be answered, counted from the request's arrival.
    package func deadline(_ budget: Duration) -> Deadline {
        Deadline(after: self.budget(atMost: budget), from: request.received)
    }
}
