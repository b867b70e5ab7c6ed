import Conversation

/// Writes a streamed reply as a dialect's server-sent events.
protocol ReplyEvents: Sendable {
    /// Returns the text before the first sentence; empty when the dialect has none.
    func opening(_ beginning: SentenceStream.Beginning) -> String

    /// Writes a sentence with its position in the reply.
    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String

    /// Writes the end of a complete reply.
    func closing(_ reply: Reply) -> String

    /// Writes the end of a reply that failed after its first sentence.
    func failure(_ refusal: Refusal) -> String
}
