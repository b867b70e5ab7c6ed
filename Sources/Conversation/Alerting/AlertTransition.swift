package import Foundation

/// One thing that happened to an alert or a dispatch of it: the record of who knew what when.
package struct AlertTransition: Sendable, Equatable {
    /// What happened.
    package enum Event: Sendable, Equatable {
        /// The alert came to stand otherwise.
        case alert(AlertState)
        /// A dispatch came so far.
        case dispatch(DispatchID, Dispatch.State)

        /// The new state as it is stored.
        package var name: String {
            switch self {
            case .alert(let state): state.rawValue
            case .dispatch(_, let state): state.rawValue
            }
        }
    }

    /// What happened.
    package let event: Event
    /// Who or what made it happen: "policy", "twilio", "contact …".
    package let actor: String
    /// A short fact about it, without patient text.
    package let note: String
    /// When.
    package let at: Date

    /// Makes a transition.
    package init(_ event: Event, by actor: String, note: String = "", at: Date) {
        self.event = event
        self.actor = actor
        self.note = note
        self.at = at
    }
}
