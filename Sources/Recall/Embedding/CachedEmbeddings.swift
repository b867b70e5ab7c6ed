package import Domain
package import Runtime
import Synchronization

/// Caches the vectors of recent sentences, and embeds a sentence once when several callers ask for it.
///
/// A cached sentence costs under a microsecond. A caller that asks for a sentence in progress waits under its own
/// deadline. If the first caller gives up, the next takes its place.
package final class CachedEmbeddings: SentenceEmbedder {
    private typealias Waiter = OneShot<Result<SentenceEncoding, RecallError>>

    private struct State {
        var encodings = LeastRecentlyUsed<String, SentenceEncoding>()
        var underWay: [String: [Waiter]] = [:]
    }

    private enum Step {
        case known(SentenceEncoding)
        case embed
        case wait(Waiter)
    }

    /// The size of an entry besides its text and numbers: dictionary, list and array headers.
    private static let overheadBytes = 160

    private let base: any SentenceEmbedder
    private let maximumBytes: Int
    private let metrics: RecallMetrics
    private let state = Mutex(State())

    package var isAvailable: Bool { base.isAvailable }
    package var waiting: Int { base.waiting }
    package var space: String { base.space }
    package var dimension: Int { base.dimension }
    package var readingSpace: String? { base.readingSpace }

    /// Puts a cache in front of an embedder.
    ///
    /// - Parameter maximumBytes: The greatest size of the cached sentences and vectors; 0 caches nothing.
    package init(
        _ base: any SentenceEmbedder,
        maximumBytes: Int = 8 << 20,
        metrics: RecallMetrics = RecallMetrics()
    ) {
        self.base = base
        self.maximumBytes = maximumBytes
        self.metrics = metrics
    }

    /// The number of bytes of the cached sentences.
    package var bytes: Int { state.withLock { $0.encodings.cost } }

    /// Returns the number of callers that wait for another's embedding of a sentence.
    func waiting(for sentence: String) -> Int {
        state.withLock { $0.underWay[sentence]?.count ?? 0 }
    }

    package func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        try await wholeEncoding(of: sentence, by: deadline).vector
    }

    /// Returns the encoding of a sentence, which is not kept: nobody says a memory again.
    package func wholeEncoding(
        of sentence: String,
        by deadline: Deadline
    ) async throws(RecallError) -> SentenceEncoding {
        if let known = state.withLock({ $0.encodings.use(sentence) }) {
            metrics.embeddings.add(1, "remembered")
            return known
        }
        let began = Instant.now
        do {
            let encoding = try await base.wholeEncoding(of: sentence, by: deadline)
            metrics.embeddings.add(1, "embedded")
            metrics.embedding.record(Instant.now.since(began))
            return encoding
        } catch {
            metrics.embeddings.add(1, error.label)
            throw error
        }
    }

    package func encoding(
        of sentence: String,
        by deadline: Deadline
    ) async throws(RecallError) -> SentenceEncoding {
        let began = Instant.now
        while true {
            switch nextStep(for: sentence) {
            case .known(let encoding):
                metrics.embeddings.add(1, "remembered")
                return encoding
            case .embed:
                return try await embed(sentence, by: deadline)
            case .wait(let waiter):
                if let encoding = try await wait(for: waiter, since: began, by: deadline) { return encoding }
            }
        }
    }

    /// Forgets every sentence, because the cache does not know which patient said it.
    package func forgetAll() {
        state.withLock { $0.encodings = LeastRecentlyUsed() }
    }

    private func nextStep(for sentence: String) -> Step {
        state.withLock { state in
            if let encoding = state.encodings.use(sentence) { return .known(encoding) }
            guard state.underWay[sentence] != nil else {
                state.underWay[sentence] = []
                return .embed
            }
            let waiter = Waiter()
            state.underWay[sentence]?.append(waiter)
            return .wait(waiter)
        }
    }

    private func embed(_ sentence: String, by deadline: Deadline) async throws(RecallError) -> SentenceEncoding {
        let began = Instant.now
        do {
            let encoding = try await base.encoding(of: sentence, by: deadline)
            finish(sentence, .success(encoding))
            metrics.embeddings.add(1, "embedded")
            metrics.embedding.record(Instant.now.since(began))
            return encoding
        } catch {
            finish(sentence, .failure(error))
            metrics.embeddings.add(1, error.label)
            throw error
        }
    }

    private func finish(_ sentence: String, _ result: Result<SentenceEncoding, RecallError>) {
        let waiters = state.withLock { state in
            if case .success(let encoding) = result, !encoding.isCut { remember(encoding, of: sentence, in: &state) }
            return state.underWay.removeValue(forKey: sentence) ?? []
        }
        for waiter in waiters { waiter.settle(result) }
    }

    private func remember(_ encoding: SentenceEncoding, of sentence: String, in state: inout State) {
        let numbers = encoding.vector.count + encoding.reading.count
        let bytes = sentence.utf8.count + numbers * MemoryLayout<Float>.stride + Self.overheadBytes
        guard bytes <= maximumBytes else { return }
        state.encodings.insert(encoding, for: sentence, cost: bytes)
        state.encodings.evict(to: maximumBytes)
    }

    /// Waits for the vector of another call; returns nil when that call ended for a reason of its own.
    private func wait(
        for waiter: Waiter,
        since began: Instant,
        by deadline: Deadline
    ) async throws(RecallError) -> SentenceEncoding? {
        let alarm = Alarm(at: deadline) {
            waiter.settle(.failure(.timedOut(after: Instant.now.since(began))))
        }
        defer { alarm.cancel() }
        do {
            return try await waiter.value(ifCancelled: .failure(.cancelled)).get()
        } catch {
            if Task.isCancelled { throw .cancelled }
            if deadline.hasPassed() { throw .timedOut(after: Instant.now.since(began)) }
            if error.concernsOnlyCaller { return nil }
            throw error
        }
    }
}

extension CachedEmbeddings: MemoryCopies {
    package var place: String { "embeddings" }

    package func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async throws { forgetAll() }

    package func erase(_ patients: Set<PatientID>, of tenant: TenantID, by deadline: Deadline) async throws {
        forgetAll()
    }

    package func eraseAll(of tenants: Set<TenantID>, by deadline: Deadline) async throws { forgetAll() }
}

extension RecallError {
    /// True if the failure concerns only the caller, not the sentence or the engine.
    fileprivate var concernsOnlyCaller: Bool {
        switch self {
        case .timedOut, .cancelled: true
        case .engineUnavailable, .overloaded, .indexFailed, .cutShort: false
        }
    }

    /// The failure's name in metrics and log lines.
    var label: String {
        switch self {
        case .engineUnavailable: "unavailable"
        case .overloaded: "overloaded"
        case .timedOut: "timed_out"
        case .cancelled: "cancelled"
        case .indexFailed: "index_failed"
        case .cutShort: "cut_short"
        }
    }
}
