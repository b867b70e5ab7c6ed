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
