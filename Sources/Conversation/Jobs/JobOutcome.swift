/// What became of a job that was taken.
package struct JobOutcome: Sendable, Equatable {
    /// How an attempt ended.
    package enum End: Sendable, Equatable {
        /// The job is done, with what is to be written of it.
        case done(JobEffect)
        /// The job is to be tried again after a while.
        case failed(after: Duration, reason: String)
    }

    /// Which job.
    package let job: Job
    /// How its attempt ended.
    package let end: End

    /// Makes an outcome.
    package init(_ job: Job, _ end: End) {
        self.job = job
        self.end = end
    }
}

/// What a job that is done leaves to be written, in the transaction that finishes it.
package enum JobEffect: Sendable, Equatable {
    /// Nothing, or nothing that is not written already.
    case nothing
    /// The facts that were found in messages, and all messages that were read for them.
    case facts([SaidFact], read: [MessageID])
}

/// A fact and the message in which it was said.
package struct SaidFact: Sendable, Equatable {
    /// The fact.
    package let fact: Fact
    /// The message that bears it out.
    package let message: MessageID

    /// Makes a fact that was said in a message.
    package init(_ fact: Fact, in message: MessageID) {
        self.fact = fact
        self.message = message
    }
}
