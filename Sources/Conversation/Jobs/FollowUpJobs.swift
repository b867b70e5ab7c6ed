package import Domain
package import Runtime

/// Gives each follow-up job of a turn to the handler of its kind.
package struct FollowUpJobs: JobHandler {
    private let embedding: ExchangeEmbedding
    private let extraction: FactExtraction?

    /// Makes the handler.
    ///
    /// - Parameter extraction: The reader of facts; nil without a model.
    package init(embedding: ExchangeEmbedding, extraction: FactExtraction?) {
        self.embedding = embedding
        self.extraction = extraction
    }

    package var kinds: [Job.Kind] {
        Job.Kind.allCases.filter { kind in
            switch kind {
            case .embedExchange: embedding.isPossible
            case .readFacts: extraction != nil
            }
        }
    }

    package func perform(_ job: Job, by deadline: Deadline) async throws(JobFailure) -> JobEffect {
        switch (job.work, job.subject) {
        case (.embedExchange(let message), .exchange(let exchange)):
            try await embedding.store(exchange, of: message, for: job, by: deadline)
            return .nothing
        case (.readFacts, .talk(let patient, let sayings)):
            return try await extraction?.facts(in: sayings, of: patient, by: deadline) ?? .nothing
        case (.embedExchange, _):
            return .nothing
        case (.readFacts, _):
            return .facts([], read: [])
        }
    }
}

/// Stores an exchange as a memory for later recall.
///
/// Most turns store their memory themselves with the vector of their recall; this serves turns without one.
package struct ExchangeEmbedding: Sendable {
    /// The greatest number of characters that a memory keeps of the message.
    package static let saidLimit = 1_000
    /// The greatest number of characters that a memory keeps of the reply.
    package static let answeredLimit = 300

    private let recall: any MemoryRecall

    package init(recall: any MemoryRecall) {
        self.recall = recall
    }

    /// True if memories can be stored at present.
    package var isPossible: Bool { recall.canStore }

    /// Returns the memory of a turn's exchange; nil when the message has no words.
    static func memory(of reply: Reply, to turn: Turn) -> StoredMemory? {
        let exchange = PatientMemory.Exchange(said: turn.text, answered: reply.text, at: turn.spokenAt)
        return memory(of: exchange, in: reply.message, patient: turn.patient, tenant: turn.tenant)
    }

    /// Stores the exchange of a message; does nothing when the message has no words.
    ///
    /// The memory has the message's identity, so that storing it again changes nothing.
    package func store(
        _ exchange: PatientMemory.Exchange,
        of message: MessageID,
        for job: Job,
        by deadline: Deadline
    ) async throws(JobFailure) {
        let memory = Self.memory(of: exchange, in: message, patient: job.patient, tenant: job.tenant)
        guard let memory else { return }
        do { try await recall.store(memory, said: exchange.said, by: deadline) } catch { throw .recall(error) }
    }

    private static func memory(
        of exchange: PatientMemory.Exchange,
        in message: MessageID,
        patient: PatientID,
        tenant: TenantID
    ) -> StoredMemory? {
        text(of: exchange).map {
            StoredMemory(id: MemoryID(message.uuid), patient: patient, tenant: tenant, text: $0, at: exchange.at)
        }
    }

    /// Returns the exchange as a memory's text, "message / reply"; nil when the message has no words.
    static func text(of exchange: PatientMemory.Exchange) -> String? {
        let said = exchange.said.prefix(saidLimit)
        guard said.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        guard let answered = exchange.answered, !answered.isEmpty else { return String(said) }
        return "\(said) / \(answered.prefix(answeredLimit))"
    }
}
