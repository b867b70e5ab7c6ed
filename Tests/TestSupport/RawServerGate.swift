import Dispatch

/// Holds a server's script until the test lets it go on.
package final class RawServerGate: Sendable {
    private let signal = DispatchSemaphore(value: 0)

    /// Makes a closed gate.
    package init() {}

    /// Lets one waiting script pass, or the next that comes.
    package func open() {
        signal.signal()
    }

    /// Waits, on the script's thread, until the gate is opened and returns true if it was within ten seconds.
    @discardableResult
    package func wait() -> Bool {
        signal.wait(timeout: .now() + 10) == .success
    }
}
