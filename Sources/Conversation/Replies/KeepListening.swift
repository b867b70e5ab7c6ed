package import Domain

/// Decides whether the device keeps listening after a reply.
package enum KeepListening {
    /// Returns true while a question or a check is open; false after a goodbye and in all other cases.
    package static func after(_ reply: String, to said: String, _ state: ConversationState) -> Bool {
        if state.question != nil { return true }
        return !Farewell.ends(said) && reply.unicodeScalars.contains { $0 == "?" || $0 == "¿" }
    }
}
