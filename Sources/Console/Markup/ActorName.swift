import Conversation

/// Shortens an actor of the audit trail to a person's name, without the identifier at its end.
enum ActorName {
    /// "Ana" for "operator Ana 9b2f0000-…"; any other actor is returned unchanged.
    static func text(of actor: String) -> String {
        let words = actor.split(separator: " ")
        guard words.count > 2, words.first == "operator", let last = words.last, OperatorID(String(last)) != nil else {
            return actor
        }
        return words.dropFirst().dropLast().joined(separator: " ")
    }
}
