package import Runtime

/// Work that follows a turn and need not be done before the answer: durable, retried, done at least once.
package struct Job: Sendable, Equatable {
    /// The kinds of work, as the record and the metrics name them.
    package enum Kind: String, Sendable, CaseIterable {
        /// An exchange becomes a memory.
        case embedExchange = "embed_exchange"
        /// An exchange is read for facts.
        case extractFacts = "extract_facts"
    }

    /// What is to be done.
    package enum Work: Sendable, Equatable {
        /// Embed the exchange of a message and store it for recall.
        case embedExchange(MessageID)
        /// Ask the model for the facts in the exchange of a message.
        case extractFacts(MessageID)

        /// Of which kind the work is.
        package var kind: Kind {
            switch self {
            case .embedExchange: .embedExchange
            case .extractFacts: .extractFacts
            }
        }

        /// The message whose exchange the work is about.
        package var message: MessageID {
            switch self {
            case .embedExchange(let message), .extractFacts(let message): message
            }
        }

        /// The work of a kind on a message's exchange.
        package init(_ kind: Kind, of message: MessageID) {
            self =
                switch kind {
                case .embedExchange: .embedExchange(message)
                case .extractFacts: .extractFacts(message)
                }
        }

        /// How long after its turn the work is due.
        ///
        /// Facts can wait until the talk has gone on or ended: a model that is busy with them answers the next message
        /// later.
        package var delay: Duration {
            switch self {
            case .embedExchange: .zero
            case .extractFacts: .seconds(30)
            }
        }
    }

    /// The job's place in its queue.
    package let id: Int64
    /// Whose.
    package let tenant: TenantID
    /// About whom.
    package let patient: PatientID
    /// What is to be done.
    package let work: Work
    /// How often it has been tried before.
    package let attempts: Int

    /// Makes a job from the record.
    package init(id: Int64, tenant: TenantID, patient: PatientID, work: Work, attempts: Int) {
        self.id = id
        self.tenant = tenant
        self.patient = patient
        self.work = work
        self.attempts = attempts
    }
}

/// The durable queue of jobs, shared by every replica.
package protocol JobQueue: Sendable {
    /// Takes jobs of these kinds that are due, and keeps them from other replicas until the lease ends.
    func take(
        _ kinds: [Job.Kind],
        limit: Int,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Job]

    /// Removes a job that is done.
    func finish(_ job: Job, by deadline: Deadline) async throws(RecordsError)

    /// Gives a job back, to be tried again after a while; after the last attempt it is kept as failed, with
    /// the reason.
    func retry(
        _ job: Job,
        after delay: Duration,
        reason: String,
        by deadline: Deadline
    ) async throws(RecordsError)
}

/// What jobs read and write besides their queue.
package protocol ExchangeRecords: Sendable {
    /// The exchange of a message; nil when its reply was never stored.
    func exchange(
        of message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> PatientMemory.Exchange?

    /// The patient; nil when unknown.
    func patient(
        _ id: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Patient?

    /// Stores facts that were said in a message. A fact that contradicts one of the same kind and subject
    /// supersedes it and keeps it as history, unless the kind is protected: then both stand until a person
    /// decides.
    func store(
        _ facts: [Fact],
        from message: MessageID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError)
}
