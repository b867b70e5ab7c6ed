/// What a pass over an alert has changed, to be stored in one transaction.
package struct AlertProgress: Sendable, Equatable {
    /// What is to become of the outbox row.
    package enum Next: Sendable, Equatable {
        /// The pass goes on, and keeps the row for as long.
        case goOn(lease: Duration)
        /// The row is due again after a while, or at once when something has happened meanwhile.
        case lookAgain(after: Duration)
        /// Nothing more is to be done.
        case close
    }

    /// Where the alert stands now.
    package var state: AlertState
    /// Dispatches that are new.
    package var decided: [Dispatch]
    /// Dispatches that have changed.
    package var changed: [Dispatch]
    /// The telephone numbers of new text messages, by which an answer finds its alert.
    package var numbers: [DispatchID: String]
    /// What happened.
    package var transitions: [AlertTransition]
    /// The earlier alert that stands for this one.
    package var groupedInto: AlertID?
    /// Alerts that this one's digest tells; they close with it.
    package var digested: [AlertID]
    /// Whether the patient's time to say that all is well is over.
    package var endsHold: Bool
    /// What is to become of the outbox row.
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
