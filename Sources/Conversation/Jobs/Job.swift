/// Work that follows a turn and need not be done before the answer: durable, retried, done at least once.
package struct Job: Sendable, Equatable {
    /// The kinds of work, as the record and the metrics name them.
    package enum Kind: String, Sendable, CaseIterable {
        /// An exchange becomes a memory, where its turn had no vector for it.
        case embedExchange = "embed_exchange"
        /// Reads the unread messages of a conversation for facts.
        case readFacts = "read_facts"
    }

    /// What is to be done.
    package enum Work: Sendable, Equatable {
        /// Embed the exchange of a message and store it for recall.
        case embedExchange(MessageID)
        /// Ask the model for the facts in what a conversation has heard since they were last read.
        case readFacts(ConversationID)

        /// Of which kind the work is.
        package var kind: Kind {
            switch self {
            case .embedExchange: .embedExchange
            case .readFacts: .readFacts
            }
        }
    }

    /// The subject of the job, as recorded when the job was claimed.
    package enum Subject: Sendable, Equatable {
        /// Nothing is left of it.
        case gone
        /// The exchange of a message.
        case exchange(PatientMemory.Exchange)
        /// The messages that were not read for facts yet, oldest first.
        case talk(of: Patient, [Saying])
    }

    /// A message with its reply.
    package struct Saying: Sendable, Equatable {
        /// Which message.
        package let message: MessageID
        /// The text of the message.
        package let exchange: PatientMemory.Exchange

        /// Makes a message from the record.
        package init(_ message: MessageID, _ exchange: PatientMemory.Exchange) {
            self.message = message
            self.exchange = exchange
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
    /// The subject of the job.
    package var subject: Subject

    /// Makes a job from the record.
    package init(
        id: Int64,
        tenant: TenantID,
        patient: PatientID,
        work: Work,
        attempts: Int,
        subject: Subject = .gone
    ) {
        self.id = id
        self.tenant = tenant
        self.patient = patient
        self.work = work
        self.attempts = attempts
        self.subject = subject
    }
}
