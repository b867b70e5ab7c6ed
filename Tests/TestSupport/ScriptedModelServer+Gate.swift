import Runtime
import Synchronization

extension ScriptedModelServer {
    /// Makes a script wait until the test opens the gate.
    package final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var isReached = false
            var held: [OneShot<Bool>] = []
            var watchers: [OneShot<Bool>] = []
        }

        private let state = Mutex(State())

        /// Makes a closed gate.
        package init() {}

        /// Lets every script pass that waits here or comes later.
        package func open() {
            let held = state.withLock { state in
                state.isOpen = true
                defer { state.held = [] }
                return state.held
            }
            for shot in held { shot.settle(true) }
        }

        /// Waits until a script has come to the gate; false after forty seconds.
        package func reached() async -> Bool {
            let shot = OneShot<Bool>()
            let isReached = state.withLock { state in
                state.watchers.append(shot)
                return state.isReached
            }
            if isReached { return true }
            let alarm = Alarm(at: Deadline(after: .seconds(40))) { shot.settle(false) }
            defer { alarm.cancel() }
            return await shot.value(ifCancelled: false)
        }

        /// Settles the shot with true once the gate is open.
        func pass(_ shot: OneShot<Bool>) {
            let (isOpen, watchers) = state.withLock { state in
                state.isReached = true
                if !state.isOpen { state.held.append(shot) }
                defer { state.watchers = [] }
                return (state.isOpen, state.watchers)
            }
            if isOpen { shot.settle(true) }
            for watcher in watchers { watcher.settle(true) }
        }
    }
}
