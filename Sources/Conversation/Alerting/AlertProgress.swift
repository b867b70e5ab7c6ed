/// The changes of one pass over an alert, stored in one transaction.
package struct AlertProgress: Sendable, Equatable {
    /// The future of the outbox row.
    package enum Next: Sendable, Equatable {
        /// The pass continues and renews its lease.
        case goOn(lease: Duration)
        /// The row is due again after a while, or at once when something has happened since.
        case lookAgain(after: Duration)
        /// Nothing remains to be done.
        case close
    }

    /// The new state of the alert.
    package var state: AlertState
    /// The new dispatches.
    package var decided: [Dispatch]
    /// The changed dispatches.
    package var changed: [Dispatch]
    /// The telephone numbers of new text messages, by which a reply finds its alert.
    package var numbers: [DispatchID: String]
    /// The events of the pass.
    package var transitions: [AlertTransition]
    /// The earlier alert that stands for this one.
    package var groupedInto: AlertID?
    /// The alerts that this one's digest contains; they close with it.
    package var digested: [AlertID]
    /// True if the hold has ended.
    package var endsHold: Bool
    /// The future of the outbox row.
    package var next: Next

    /// Makes progress.
    package init(
        state: AlertState,
        decided: [Dispatch] = [],
        changed: [Dispatch] = [],
        numbers: [DispatchID: String] = [:],
        transitions: [AlertTransition] = [],
        groupedInto: AlertID? = nil,
        digested: [AlertID] = [],
        endsHold: Bool = false,
        next: Next
    ) {
        self.state = state
        self.decided = decided
        self.changed = changed
        self.numbers = numbers
        self.transitions = transitions
        self.groupedInto = groupedInto
        self.digested = digested
        self.endsHold = endsHold
        self.next = next
    }
}
