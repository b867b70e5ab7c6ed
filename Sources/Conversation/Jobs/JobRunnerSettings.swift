/// How jobs are taken and done.
package struct JobRunnerSettings: Sendable, Equatable {
    /// How many jobs are done at once.
    package var concurrency: Int
    /// How long a job may take.
    package var deadline: Duration
    /// For how long a job that was taken is kept from other replicas; longer than its deadline.
    package var lease: Duration
    /// How long the queue is left alone after it was found empty for the first time.
    package var shortestPause: Duration
    /// How long what turns leave behind may gather before the queue is looked at, so that a busy one is not asked at each
    /// turn.
    package var gathering: Duration
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
        deadline: Duration = .seconds(30),
        lease: Duration = .seconds(60),
        shortestPause: Duration = .milliseconds(250),
        gathering: Duration = .zero,
        longestPause: Duration = .seconds(10),
        retry: RetryDelay = RetryDelay(),
        queueTime: Duration = .seconds(5),
        giveBackTime: Duration = .milliseconds(500)
    ) {
        precondition(concurrency > 0 && lease > deadline, "jobs need a runner, and a lease longer than their deadline")
        self.concurrency = concurrency
        self.deadline = deadline
        self.lease = lease
        self.shortestPause = shortestPause
        self.gathering = gathering
        self.longestPause = longestPause
        self.retry = retry
        self.queueTime = queueTime
        self.giveBackTime = giveBackTime
    }
}
