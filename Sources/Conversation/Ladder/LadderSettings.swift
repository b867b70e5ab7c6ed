/// The thresholds of the fallback chain.
package struct LadderSettings: Sendable, Equatable {
    /// The least remaining time in which a model is asked.
    package var leastTime: Duration
    /// The share of the time for which the first model may stay silent before the next is asked too, 0 to 1.
    package var silentShare: Double
    /// The pause before a denied hedge asks for budget again.
    package var hedgePause: Duration
    /// The shortest time before a second call is made beside the first.
    package var shortestHedge: Duration
    /// The longest silence of a started stream.
    package var stall: Duration
    /// The time for which a stream is observed before its pace is judged.
    package var watch: Duration
    /// The usual number of words of a reply, which a stream must bring in time.
    package var usualWords: Int
    /// The number of expected words below which a stream is given up even without an alternative.
    package var fewestWords: Int
    /// The pause before the first retry, before jitter.
    package var retryPause: Duration
    /// The greatest number of retries in a turn.
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
