/// What a scripted model says, when, and how it ends.
package struct ModelScript: Sendable, Equatable {
    /// How a scripted model fails.
    package enum Fault: String, Sendable, CaseIterable {
        /// The provider cannot be reached.
        case unreachable
        /// It answers with an error status.
        case refused
        /// Too many calls are in flight.
        case overloaded
        /// It accepts the request and never says a word.
        case silent
        /// It stops in the middle and keeps the stream open.
        case stall
        /// The stream ends before the reply is whole.
        case cutOff = "cut-off"
        /// The reply reaches the limit on its tokens.
        case tokenLimit = "token-limit"
        /// The reply is whole and has no text.
        case empty
        /// The answer is not what the protocol promises.
        case malformed
    }

    /// The words.
    package var says: String
    /// From the request to the first piece.
    package var firstTokenAfter: Duration
    /// Between two pieces; a piece is a word.
    package var pieceEvery: Duration
    /// How it fails; nil when it does not.
    package var fault: Fault?
    /// After how many words it fails.
    package var faultAfterWords: Int
    /// The status of a refusal.
    package var status: Int

    /// Makes a script; a quick and healthy model unless given.
    package init(
        says: String = "",
        firstTokenAfter: Duration = .milliseconds(300),
        pieceEvery: Duration = .milliseconds(20),
        fault: Fault? = nil,
        faultAfterWords: Int = 0,
        status: Int = 503
    ) {
        self.says = says
        self.firstTokenAfter = firstTokenAfter
        self.pieceEvery = pieceEvery
        self.fault = fault
        self.faultAfterWords = faultAfterWords
        self.status = status
    }
}
