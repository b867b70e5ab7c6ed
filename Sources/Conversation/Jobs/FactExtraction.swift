package import Runtime

/// Asks the model for the facts in an exchange, and stores those that the patient's own words bear out.
///
/// Facts of a protected kind are stored like all others; the record never lets them replace one another.
package struct FactExtraction: Sendable {
    /// The most characters of an answer that are read; what comes after is not waited for.
    package static let answerLimit = 4_000

    private let records: any ExchangeRecords
    private let composer: any PromptComposer
    private let model: any LanguageModel
    private let log: Log

    /// Makes the work from its parts.
    package init(
        records: any ExchangeRecords,
        composer: any PromptComposer,
        model: any LanguageModel,
        log: Log
    ) {
        self.records = records
        self.composer = composer
        self.model = model
        self.log = log
    }

    /// Stores the facts of a message's exchange; nothing when the exchange has gone or the model finds none.
    package func extract(
        from message: MessageID,
        of job: Job,
        by deadline: Deadline
    ) async throws(JobFailure) {
        guard let (patient, exchange) = try await read(message, of: job, by: deadline) else { return }
        let answer = try await ask(about: exchange, of: patient, by: deadline)
        let reading = FactReading(answer)
        lazy var grounding = FactGrounding(said: exchange.said, by: patient.name)
        let facts = reading.facts.filter { grounding.supports($0) }.map { $0.fact(in: message, saidAt: exchange.at) }
        log.info(
            "facts_extracted",
            "stored" ~ facts.count,
            "malformed" ~ reading.refused,
            "unsupported" ~ reading.facts.count - facts.count
        )
        guard !facts.isEmpty else { return }
        do {
            try await records.store(
                facts,
                from: message,
                patient: job.patient,
                tenant: job.tenant,
                by: deadline
            )
        } catch {
            throw .records(error)
        }
    }

    private func read(
        _ message: MessageID,
        of job: Job,
        by deadline: Deadline
    ) async throws(JobFailure) -> (Patient, PatientMemory.Exchange)? {
        do {
            guard
                let patient = try await records.patient(job.patient, tenant: job.tenant, by: deadline),
                let exchange = try await records.exchange(
                    of: message,
                    patient: job.patient,
                    tenant: job.tenant,
                    by: deadline
                )
            else { return nil }
            return (patient, exchange)
        } catch {
            throw .records(error)
        }
    }

    private func ask(
        about exchange: PatientMemory.Exchange,
        of patient: Patient,
        by deadline: Deadline
    ) async throws(JobFailure) -> String {
        let prompt: Prompt
        do {
            prompt = try composer.composeExtraction(
                said: exchange.said,
                answered: exchange.answered ?? "",
                of: patient
            )
        } catch {
            throw .prompt(error)
        }
        do {
            return try await model.answer(to: prompt, atMost: Self.answerLimit, by: deadline)
        } catch .empty {
            return ""
        } catch {
            throw .model(error)
        }
    }
}
