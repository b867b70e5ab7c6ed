import Runtime
import Synchronization

/// The turns that are being answered, so that a repeat joins the first instead of being answered twice.
///
/// Each turn runs in a task of its own. A caller that goes away leaves it; when the last one has left, the task is
/// cancelled, which ends the model's stream but not what must be recorded.
package final class TurnsInFlight: Sendable {
    /// An answer, or why there is none.
    package typealias Outcome = Result<Answer, TurnRefusal>

    private struct Key: Hashable {
        let tenant: TenantID
        let patient: PatientID
        let idempotencyKey: String
    }

    private struct Flight {
        let fingerprint: String
        let task: Task<Outcome, Never>
        var callers = 1
    }

    private let flights = Mutex<[Key: Flight]>([:])

    /// Makes an empty set.
    package init() {}

    /// How many turns are being answered.
    package var count: Int { flights.withLock { $0.count } }

    /// Answers a turn, or joins it when it is being answered already.
    func run(
        _ turn: Turn,
        _ process: @escaping @Sendable () async -> Outcome
    ) async throws(TurnRefusal) -> Answer {
        let key = Key(tenant: turn.tenant, patient: turn.patient, idempotencyKey: turn.idempotencyKey)
        let (task, isJoined) = try flights.withLock { flights throws(TurnRefusal) in
            if let flight = flights[key] {
                guard flight.fingerprint == turn.fingerprint else { throw TurnRefusal.keyReused(turn.idempotencyKey) }
                flights[key]?.callers += 1
                return (flight.task, true)
            }
            let task = Task(executorPreference: EventLoop.current) { [self] in
                defer { remove(key) }
                return await process()
            }
            flights[key] = Flight(fingerprint: turn.fingerprint, task: task)
            return (task, false)
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            leave(key)
        }
        let answer = try outcome.get()
        return isJoined ? Answer(answer.reply, isReplay: true) : answer
    }

    private func remove(_ key: Key) {
        flights.withLock { _ = $0.removeValue(forKey: key) }
    }

    private func leave(_ key: Key) {
        let abandoned: Task<Outcome, Never>? = flights.withLock { flights in
            flights[key]?.callers -= 1
            return flights[key]?.callers == 0 ? flights[key]?.task : nil
        }
        abandoned?.cancel()
    }
}
