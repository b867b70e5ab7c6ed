/// Script of a simulated model: its words, their timing, and how it fails.
package struct ModelScript: Sendable, Equatable {
    /// Kind of failure.
    package enum Fault: String, Sendable, CaseIterable {
        /// The provider cannot be reached.
        case unreachable
        /// The provider answers with an error status.
        case refused
        /// Too many calls are in flight.
        case overloaded
        /// The provider accepts the request and never sends anything.
        case silent
        /// The stream stalls in the middle and stays open.
        case stall
        /// The stream ends before the reply is complete.
        case cutOff = "cut-off"
        /// The reply reaches the token limit.
        case tokenLimit = "token-limit"
        /// The reply is complete and empty.
        case empty
        /// The response violates the protocol.
        case malformed
    }

    /// Words of the reply.
    package var says: String
    /// Time from the request to the first piece.
    package var firstTokenAfter: Duration
    /// Time between two pieces; a piece is a word.
    package var pieceEvery: Duration
    /// Kind of failure; nil for none.
    package var fault: Fault?
    /// Number of words before the failure.
    package var faultAfterWords: Int
    /// Status of a refusal.
    package var status: Int

    /// Creates a script; by default of a fast model without faults.
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
