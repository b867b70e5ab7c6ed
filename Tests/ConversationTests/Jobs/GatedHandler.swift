import Conversation
import Domain
import Runtime
import Synchronization

/// Does jobs when a test lets it, and tells which it was given.
final class GatedHandler: JobHandler {
    /// The jobs that it was given, in order.
    let begun: AsyncStream<Int64>
    /// The kinds that it says it can do.
    let kinds: [Job.Kind]
    private let teller: AsyncStream<Int64>.Continuation
    private let gates = Mutex<[Int64: OneShot<Result<JobEffect, JobFailure>>]>([:])

    init(_ kinds: [Job.Kind] = Job.Kind.allCases) {
        self.kinds = kinds
        (begun, teller) = AsyncStream.makeStream()
    }

    func perform(_ job: Job, by deadline: Deadline) async throws(JobFailure) -> JobEffect {
        let gate = OneShot<Result<JobEffect, JobFailure>>()
        gates.withLock { $0[job.id] = gate }
        teller.yield(job.id)
        return try await gate.value(ifCancelled: .failure(.cancelled)).get()
    }

    /// Ends a job that was begun.
    func end(_ id: Int64, _ result: Result<JobEffect, JobFailure> = .success(.nothing)) {
        gates.withLock { $0[id] }?.settle(result)
    }
}
