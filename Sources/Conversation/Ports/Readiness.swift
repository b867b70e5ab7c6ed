/// Whether the service can answer a turn, part by part.
package protocol Readiness: Sendable {
    /// The state of every part now; answered from what is known already, within a millisecond.
    var parts: [ReadinessPart] { get }
}

/// One part of the service: the database, the model, the screen.
package struct ReadinessPart: Sendable, Equatable {
    /// How a part does.
    package enum State: String, Sendable, CaseIterable {
        /// It works.
        case ready
        /// It does not work, and turns are answered without it.
        case degraded
        /// It does not work, and no turn can be answered without it.
        case down
    }

    /// What the log and the metrics call it.
    package let name: String
    /// How it does.
    package let state: State
    /// A sentence for the operator: what is wrong and what to do, or what a part that works consists of; may be empty.
    package let detail: String

    /// Makes a part's state.
    package init(_ name: String, _ state: State = .ready, detail: String = "") {
        self.name = name
        self.state = state
        self.detail = detail
    }
}
