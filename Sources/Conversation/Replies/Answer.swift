/// The result of a turn: the reply, and whether it is a replay.
package struct Answer: Sendable, Equatable {
    /// The reply.
    package let reply: Reply
    /// True if the reply was stored before, for the same key and body, and is sent again.
    package let isReplay: Bool

    package init(_ reply: Reply, isReplay: Bool = false) {
        self.reply = reply
        self.isReplay = isReplay
    }
}
