/// How much a second look may cost.
package struct TriageSettings: Sendable, Equatable {
    /// How long the model has for its answer; the reply does not wait for it.
    package var answerTime: Duration
    /// How long the record has for a raised alert.
    package var recordTime: Duration
    /// How many messages are looked at at once; more are not looked at.
    package var atOnce: Int

    /// The most characters of an answer that are read.
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
