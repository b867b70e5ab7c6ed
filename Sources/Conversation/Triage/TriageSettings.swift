/// The limits of second checks.
package struct TriageSettings: Sendable, Equatable {
    /// The time for the model's answer; the reply does not wait for it.
    package var answerTime: Duration
    /// The time for the record to store a raised alert.
    package var recordTime: Duration
    /// The number of checks at once; further messages are not checked.
    package var atOnce: Int

    /// The greatest number of characters that are read of an answer.
    static let answerLimit = 200

    /// Makes settings; the defaults are the service's.
    package init(
        answerTime: Duration = .seconds(10),
        recordTime: Duration = .seconds(2),
        atOnce: Int = 8
    ) {
        self.answerTime = answerTime
        self.recordTime = recordTime
        self.atOnce = atOnce
    }
}
