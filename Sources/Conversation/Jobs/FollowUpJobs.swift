package import Runtime

/// Hands each job that a turn leaves behind to who does its kind of work.
package struct FollowUpJobs: JobHandler {
    private let embedding: ExchangeEmbedding
    private let extraction: FactExtraction?

    /// Makes the hand-over.
    ///
    /// - Parameter extraction: Nil where there is no model to ask.
    package init(embedding: ExchangeEmbedding, extraction: FactExtraction?) {
        self.embedding = embedding
        self.extraction = extraction
    }

    package var kinds: [Job.Kind] {
        Job.Kind.allCases.filter { kind in
            switch kind {
            case .embedExchange: embedding.isPossible
            case .extractFacts: extraction != nil
            }
        }
    }

    package func perform(_ job: Job, by deadline: Deadline) async throws(JobFailure) {
        switch job.work {
        case .embedExchange(let message): try await embedding.store(message, of: job, by: deadline)
        case .extractFacts(let message): try await extraction?.extract(from: message, of: job, by: deadline)
        }
    }
}
