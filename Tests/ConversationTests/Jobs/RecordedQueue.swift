import Conversation
import Runtime
import Synchronization

/// A queue of jobs in memory that tells what was asked of it, event by event.
final class RecordedQueue: JobQueue {
    /// What was asked.
    enum Event: Equatable {
        case took([Int64], limit: Int)
        case refused
        case finished(Int64)
        case retried(Int64, after: Duration, reason: String)
    }

    private struct State {
        var waiting: [Job] = []
        var failure: RecordsError?
        var finishFailure: RecordsError?
    }

    /// Everything that was asked, in order.
    let events: AsyncStream<Event>
    private let teller: AsyncStream<Event>.Continuation
    private let state = Mutex(State())

    init() {
        (events, teller) = AsyncStream.makeStream()
    }

    /// What taking throws; nil for an ordinary answer.
    func fail(with failure: RecordsError?) {
        state.withLock { $0.failure = failure }
    }

    /// What finishing throws; nil for an ordinary answer.
    func failFinishing(with failure: RecordsError?) {
        state.withLock { $0.finishFailure = failure }
    }

    func add(_ jobs: Job...) {
        state.withLock { $0.waiting += jobs }
    }

    func take(
        _ kinds: [Job.Kind],
        limit: Int,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Job] {
        do {
            let jobs = try state.withLock { state throws(RecordsError) in
                if let failure = state.failure { throw failure }
                let jobs = Array(state.waiting.filter { kinds.contains($0.work.kind) }.prefix(limit))
                state.waiting.removeAll(where: jobs.contains)
                return jobs
            }
            teller.yield(.took(jobs.map(\.id), limit: limit))
            return jobs
        } catch {
            teller.yield(.refused)
            throw error
        }
    }

    func finish(_ job: Job, by deadline: Deadline) async throws(RecordsError) {
        teller.yield(.finished(job.id))
        if let failure = state.withLock({ $0.finishFailure }) { throw failure }
    }

    func retry(_ job: Job, after delay: Duration, reason: String, by deadline: Deadline) async throws(RecordsError) {
        teller.yield(.retried(job.id, after: delay, reason: reason))
    }
}
