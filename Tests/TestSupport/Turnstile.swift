import Runtime
import Synchronization

/// Limits the number of tests that do heavy work at a time; the others wait their turn.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting = FIFOQueue<OneShot<Void>>()
    }

    private let state: Mutex<State>

    init(places: Int) {
        state = Mutex(State(free: places))
    }

    /// Runs work once there is a place for it.
    func pass<Value>(_ work: () async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async {
        let turn = OneShot<Void>()
        let mustWait = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return false
            }
            state.waiting.append(turn)
            return true
        }
        // A test that is cancelled goes in at once, and leaves as soon as it notices.
        if mustWait { await turn.value(ifCancelled: ()) }
    }

    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.settle(())
    }
}
