package import Foundation

/// One event of an alert or a dispatch, stored to show who knew what when.
package struct AlertTransition: Sendable, Equatable {
    /// The kind of event.
    package enum Event: Sendable, Equatable {
        /// The alert changed its state.
        case alert(AlertState)
        /// A dispatch changed its state.
        case dispatch(DispatchID, Dispatch.State)

        /// The new state as it is stored.
        package var name: String {
            switch self {
            case .alert(let state): state.rawValue
            case .dispatch(_, let state): state.rawValue
            }
        }
    }

    /// The event.
    package let event: Event
    /// The person or part that caused it: "policy", "twilio", "contact …".
    package let actor: String
    /// A short fact about it, without patient text.
    package let note: String
    /// The time of the event.
    package let at: Date

    package init(_ event: Event, by actor: String, note: String = "", at: Date) {
        self.event = event
        self.actor = actor
        self.note = note
        self.at = at
    }
}
