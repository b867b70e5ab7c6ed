/// What a turn is answered with: the reply, and whether it was made for this call.
package struct Answer: Sendable, Equatable {
    /// The reply.
    package let reply: Reply
    /// Whether the reply was stored before, for the same key and body, and is given again.
    package let isReplay: Bool

    /// Makes an answer.
    package init(_ reply: Reply, isReplay: Bool = false) {
        self.reply = reply
        self.isReplay = isReplay
    }
}
