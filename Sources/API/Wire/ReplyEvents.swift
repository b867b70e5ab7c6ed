import Conversation

/// How a dialect writes a reply that is given out sentence by sentence, as server-sent events.
protocol ReplyEvents: Sendable {
    /// What goes before the first sentence; empty when nothing does.
    func opening(_ beginning: SentenceStream.Beginning) -> String

    /// A sentence, by its place in the reply.
    func sentence(_ text: String, at index: Int, of beginning: SentenceStream.Beginning) -> String

    /// What ends a whole reply.
    func closing(_ reply: Reply) -> String

    /// What ends a reply that came to nothing after its first sentence.
    func failure(_ refusal: Refusal) -> String
}
