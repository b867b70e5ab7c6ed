/// When a ladder takes its next step.
package struct LadderSettings: Sendable, Equatable {
    /// With less time than this left, no model is asked.
    package var leastTime: Duration
    /// How much of the time the first model may stay silent before the next is asked as well, 0 to 1.
    package var silentShare: Double
    /// How long a hedge that was not allowed waits before it asks again to be.
    package var hedgePause: Duration
    /// The earliest that a second call is made beside the first.
    package var shortestHedge: Duration
    /// How long a stream that has begun may say nothing.
    package var stall: Duration
    /// How long a stream is watched before its pace is judged.
    package var watch: Duration
    /// How many words a reply has as a rule: what a stream must bring in time.
    package var usualWords: Int
    /// With fewer words than this to be had in time, a stream that has nothing beside it is given up as well.
    package var fewestWords: Int
    /// How long the first retry waits, before its jitter.
    package var retryPause: Duration
    /// The most retries of a turn.
    package var retries: Int

    /// Makes settings; the defaults are the service's.
    package init(
        leastTime: Duration = .milliseconds(200),
        silentShare: Double = 0.6,
        hedgePause: Duration = .milliseconds(100),
        shortestHedge: Duration = .milliseconds(20),
        stall: Duration = .milliseconds(1200),
        watch: Duration = .seconds(1),
        usualWords: Int = 12,
        fewestWords: Int = 5,
        retryPause: Duration = .milliseconds(100),
        retries: Int = 2
    ) {
        self.leastTime = leastTime
        self.silentShare = silentShare
        self.hedgePause = hedgePause
        self.shortestHedge = shortestHedge
        self.stall = stall
        self.watch = watch
        self.usualWords = usualWords
        self.fewestWords = fewestWords
        self.retryPause = retryPause
        self.retries = retries
    }
}
