package import Runtime

/// Stores an exchange as a memory, so that it can be recalled.
package struct ExchangeEmbedding: Sendable {
    /// The most characters of what was said that a memory keeps.
    package static let saidLimit = 1_000
    /// The most characters of what was answered that a memory keeps.
    package static let answeredLimit = 300

    private let records: any ExchangeRecords
    private let recall: any MemoryRecall

    /// Makes the work from the exchanges' record and the memories' store.
    package init(records: any ExchangeRecords, recall: any MemoryRecall) {
        self.records = records
        self.recall = recall
    }

    /// Whether memories can be stored at present.
    package var isPossible: Bool { recall.canStore }

    /// Stores the exchange of a message; nothing when it has gone or nothing was said in it.
    ///
    /// The memory has the message's identity, so that storing it again changes nothing.
    package func store(_ message: MessageID, of job: Job, by deadline: Deadline) async throws(JobFailure) {
        let exchange: PatientMemory.Exchange?
        do {
            exchange = try await records.exchange(
                of: message,
                patient: job.patient,
                tenant: job.tenant,
                by: deadline
            )
        } catch {
            throw .records(error)
        }
        guard let exchange, let text = Self.text(of: exchange) else { return }
        let memory = StoredMemory(
            id: MemoryID(message.uuid),
            patient: job.patient,
            tenant: job.tenant,
            text: text,
            at: exchange.at
        )
        do { try await recall.store(memory, by: deadline) } catch { throw .recall(error) }
    }

    /// The exchange as a memory's text, "said / answered"; nil when no word was said.
    static func text(of exchange: PatientMemory.Exchange) -> String? {
        let said = exchange.said.prefix(saidLimit)
        guard said.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        guard let answered = exchange.answered, !answered.isEmpty else { return String(said) }
        return "\(said) / \(answered.prefix(answeredLimit))"
    }
}
