package import Runtime

/// Stores an exchange as a memory, so that it can be recalled.
///
/// Most turns store their memory themselves, with the vector that they recalled by; this does it for those that had none.
package struct ExchangeEmbedding: Sendable {
    /// The most characters of what was said that a memory keeps.
    package static let saidLimit = 1_000
    /// The most characters of what was answered that a memory keeps.
    package static let answeredLimit = 300

    private let recall: any MemoryRecall

    /// Makes the work from the memories' store.
    package init(recall: any MemoryRecall) {
        self.recall = recall
    }

    /// Whether memories can be stored at present.
    package var isPossible: Bool { recall.canStore }

    /// The memory of a turn's exchange; nil when no word was said.
    static func memory(of reply: Reply, to turn: Turn) -> StoredMemory? {
        let exchange = PatientMemory.Exchange(said: turn.text, answered: reply.text, at: turn.spokenAt)
        return memory(of: exchange, in: reply.message, patient: turn.patient, tenant: turn.tenant)
    }

    /// Stores the exchange of a message; nothing when nothing was said in it.
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
        do { try await recall.store(memory, by: deadline) } catch { throw .recall(error) }
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

    /// The exchange as a memory's text, "said / answered"; nil when no word was said.
    static func text(of exchange: PatientMemory.Exchange) -> String? {
        let said = exchange.said.prefix(saidLimit)
        guard said.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        guard let answered = exchange.answered, !answered.isEmpty else { return String(said) }
        return "\(said) / \(answered.prefix(answeredLimit))"
    }
}
