import Dispatch
import Foundation
import Synchronization

/// A server of raw bytes on loopback, for tests of what a client does with a peer of any behaviour.
///
/// Each connection is played by a script on a thread of its own, so that it may block. Every wait in it ends after ten
/// seconds, so that a test which fails does not hang.
package final class RawServer: Sendable {
    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let connections = Mutex<[RawServerConnection]>([])
    private let count = Atomic(0)

    /// Starts a server that plays `script` on every connection; the connection is closed when the script returns.
    ///
    /// It serves until it is stopped.
    package init(_ script: @escaping @Sendable (RawServerConnection) -> Void) {
        (listener, port) = Loopback.listen(backlog: 512)
        Thread.detachNewThread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                play(script, on: descriptor)
            }
            close(listener)
        }
    }

    /// The server's address as a URL without a path.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Number of connections that were accepted so far.
    package var accepted: Int { count.load(ordering: .relaxed) }

    /// Refuses new connections from now on; existing ones continue.
    package func stopListening() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Stops listening and breaks every connection off.
    package func stop() {
        stopListening()
        for connection in connections.withLock({ $0 }) { connection.breakOff() }
    }

    private func play(_ script: @escaping @Sendable (RawServerConnection) -> Void, on descriptor: Int32) {
        let number = count.add(1, ordering: .relaxed).newValue
        let connection = RawServerConnection(descriptor, number: number)
        connections.withLock { $0.append(connection) }
        Thread.detachNewThread {
            script(connection)
            connection.close()
        }
    }
}

/// Makes a server's script wait until the test opens the gate.
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
