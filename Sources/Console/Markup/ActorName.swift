import Conversation

/// Who did something, as people are told: the audit trail's actor without the identity that it ends with.
enum ActorName {
    /// "Ana" of "operator Ana 9b2f0000-…"; another actor as it is.
    static func text(of actor: String) -> String {
        let words = actor.split(separator: " ")
        guard words.count > 2, words.first == "operator", let last = words.last, OperatorID(String(last)) != nil else {
            return actor
        }
        return words.dropFirst().dropLast().joined(separator: " ")
    }
}
