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
