/// The outcome of a claimed job.
package struct JobOutcome: Sendable, Equatable {
    /// The end of an attempt.
    package enum End: Sendable, Equatable {
        /// The job is done, with the effect to be written.
        case done(JobEffect)
        /// The job will be tried again after a while.
        case failed(after: Duration, reason: String)
    }

    /// The job.
    package let job: Job
    /// The end of its attempt.
    package let end: End

    package init(_ job: Job, _ end: End) {
        self.job = job
        self.end = end
    }
}

/// The effect of a finished job, written in the transaction that finishes it.
package enum JobEffect: Sendable, Equatable {
    /// There is no effect, or it has been written already.
    case nothing
    /// The facts that were found in messages, and all messages that were read.
    case facts([SaidFact], read: [MessageID])
}

/// A fact and the message in which it was said.
package struct SaidFact: Sendable, Equatable {
    /// The fact.
    package let fact: Fact
    /// The message that supports it.
    package let message: MessageID

    /// Makes a fact that was said in a message.
    package init(_ fact: Fact, in message: MessageID) {
        self.fact = fact
        self.message = message
    }
}
