import Conversation
import Domain
import Runtime
import Synchronization

/// A queue of jobs in memory that tells what was asked of it, event by event.
final class RecordedQueue: JobQueue {
    /// A call.
    enum Event: Equatable {
        case took([Int64], limit: Int)
        case refused
        /// Several were settled in one transaction; what became of each follows.
        case settled([Int64])
        case finished(Int64)
        case retried(Int64, after: Duration, reason: String)
    }

    private struct State {
        var waiting: [Job] = []
        var failure: RecordsError?
        var finishFailure: RecordsError?
        var refused: JobEffect?
    }

    /// Everything that was asked, in order.
    let events: AsyncStream<Event>
    private let teller: AsyncStream<Event>.Continuation
    private let state = Mutex(State())

    init() {
        (events, teller) = AsyncStream.makeStream()
    }

    /// Error that taking throws; nil for an ordinary answer.
    func fail(with failure: RecordsError?) {
        state.withLock { $0.failure = failure }
    }

    /// Error that finishing throws; nil for an ordinary answer.
    func failFinishing(with failure: RecordsError?) {
        state.withLock { $0.finishFailure = failure }
    }

    /// An effect that is refused, alone and with others.
    func refuse(_ effect: JobEffect) {
        state.withLock { $0.refused = effect }
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

    func settle(_ outcomes: [JobOutcome], of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) {
        if outcomes.count > 1 { teller.yield(.settled(outcomes.map(\.job.id))) }
        for outcome in outcomes {
            switch outcome.end {
            case .done: teller.yield(.finished(outcome.job.id))
            case .failed(let delay, let reason):
                teller.yield(.retried(outcome.job.id, after: delay, reason: reason))
            }
        }
        let failure = state.withLock { state in
            outcomes.contains { outcome in
                if case .done(let effect) = outcome.end { effect == state.refused } else { false }
            } ? RecordsError.refused(code: "23503", message: "gone") : state.finishFailure
        }
        if let failure { throw failure }
    }
}
