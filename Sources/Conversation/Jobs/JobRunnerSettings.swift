/// How jobs are taken and done.
package struct JobRunnerSettings: Sendable, Equatable {
    /// How many jobs are done at once.
    package var concurrency: Int
    /// How many jobs for each that is done at once are taken together, so that a busy queue is asked seldom.
    package var depth: Int
    /// How long a job may take.
    package var deadline: Duration
    /// For how long a job that was taken is kept from other replicas; longer than all that were taken together may take.
    package var lease: Duration
    /// How long the queue is left alone after it was found empty for the first time.
    package var shortestPause: Duration
    /// How long what turns leave behind may gather before the queue is looked at, so that a busy one is not asked at each
    /// turn.
    package var gathering: Duration
    /// How long what became of a job may wait for that of others, to be written with it; none waits once nothing runs.
    package var settling: Duration
    /// How long the queue is left alone after it has long been empty, or cannot be reached.
    package var longestPause: Duration
    /// How long a failed job waits.
    package var retry: RetryDelay
    /// How long a call to the queue may take.
    package var queueTime: Duration
    /// How long before the end of a drain jobs that still run are stopped and given back.
    package var giveBackTime: Duration

    /// Makes settings; the defaults are the service's.
    package init(
        concurrency: Int = 2,
        depth: Int = 1,
        deadline: Duration = .seconds(30),
        lease: Duration? = nil,
        shortestPause: Duration = .milliseconds(250),
        gathering: Duration = .zero,
        settling: Duration = .zero,
        longestPause: Duration = .seconds(10),
        retry: RetryDelay = RetryDelay(),
        queueTime: Duration = .seconds(5),
        giveBackTime: Duration = .milliseconds(500)
    ) {
        let longest = deadline * depth + settling
        let lease = lease ?? longest + .seconds(30)
        precondition(
            concurrency > 0 && depth > 0 && lease > longest,
            "jobs need a runner, and a lease longer than their deadlines"
        )
        self.concurrency = concurrency
        self.depth = depth
        self.deadline = deadline
        self.lease = lease
        self.shortestPause = shortestPause
        self.gathering = gathering
        self.settling = settling
        self.longestPause = longestPause
        self.retry = retry
        self.queueTime = queueTime
        self.giveBackTime = giveBackTime
    }
}
