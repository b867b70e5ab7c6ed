import Foundation
import Runtime
import Synchronization

/// A model provider for tests: speaks OpenAI's and Anthropic's protocols over real sockets and plays a script for each
/// request.
///
///     let server = ScriptedModelServer { request in .reply("You said: \(request.lastUserText)") }
///     defer { server.stop() }
///     server.next(.stalls(after: ["Good", " mor"]))      // the next request alone
///
/// A request that the real provider would refuse is refused with 400 and recorded as a violation. All connections live
/// on one event loop, so that thousands at a time are no trouble.
package final class ScriptedModelServer: Sendable {
    private struct State {
        var scripts = FIFOQueue<Script>()
        var requests: [Request] = []
        var abandoned = 0
        var watchers: [Watcher] = []
    }

    /// Somebody who waits for something to have happened.
    private struct Watcher {
        let holds: @Sendable (State) -> Bool
        let shot: OneShot<Bool>
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let loop = EventLoop()
    private let listener: ScriptedModelServerListener
    private let key: String?
    private let answer: @Sendable (Request) -> Script
    private let state = Mutex(State())

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - key: The key that every request must bring; any, or none, is taken when it is nil.
    ///   - answer: Script for a request for which nothing else was asked.
    package init(
        key: String? = nil,
        _ answer: @escaping @Sendable (Request) -> Script = { _ in .reply("Good morning, Rose.") }
    ) {
        let descriptor: Int32
        (descriptor, port) = Loopback.listen(backlog: 4096)
        self.key = key
        self.answer = answer
        listener = ScriptedModelServerListener(descriptor, on: loop)
        listener.onLoop { [self] in $0.start { await self.serve($0) } }
    }

    /// The base URL of OpenAI's protocol.
    package var url: String { "http://127.0.0.1:\(port)/v1" }
    /// The base URL of Anthropic's protocol.
    package var anthropicURL: String { "http://127.0.0.1:\(port)" }
    /// A base URL at which every connection is refused.
    package static func refusingURL() -> String { "http://127.0.0.1:\(Loopback.closedPort())/v1" }

    /// Plays a script for the next request that has none yet; may be called for several.
    package func next(_ script: Script) {
        state.withLock { $0.scripts.append(script) }
    }

    /// The requests so far, in the order of their arrival.
    package var requests: [Request] { state.withLock { $0.requests } }
    /// Faults of requests that the real provider would refuse.
    package var violations: [String] { requests.compactMap(\.violation) }
    /// Number of connections.
    package var connections: Int { listener.accepted }
    /// Number of clients that left before their reply was whole.
    package var abandoned: Int { state.withLock { $0.abandoned } }

    /// Waits for a request, counted from 1; nil when it has not come within forty seconds.
    package func request(_ number: Int = 1) async -> Request? {
        await wait { $0.requests.count >= number } ? requests[number - 1] : nil
    }

    /// Waits until that many clients have left before their reply was whole; false after forty seconds.
    package func clientsLeft(_ count: Int = 1) async -> Bool {
        await wait { $0.abandoned >= count }
    }

    /// Closes every connection and stops; not from the server's own script.
    package func stop() {
        listener.onLoop { $0.stop() }
        loop.stop()
    }

    private func wait(until holds: @escaping @Sendable (State) -> Bool) async -> Bool {
        let shot = OneShot<Bool>()
        change { $0.watchers.append(Watcher(holds: holds, shot: shot)) }
        let alarm = Alarm(at: Deadline(after: .seconds(40))) { shot.settle(false) }
        defer { alarm.cancel() }
        return await shot.value(ifCancelled: false)
    }

    private func change(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            let (due, left) = (state.watchers.filter { $0.holds(state) }, state.watchers.filter { !$0.holds(state) })
            state.watchers = left.filter { !$0.shot.isSettled }
            return due
        }
        for watcher in due { watcher.shot.settle(true) }
    }

    private func serve(_ connection: ScriptedModelServerConnection) async {
        while let message = await connection.readMessage() {
            let request = Request(message, connection: connection.number, key: key)
            change { $0.requests.append(request) }
            guard await play(script(for: request), to: request, on: connection) else { break }
        }
        await connection.close()
    }

    private func script(for request: Request) -> Script {
        if let refusal = request.refusal { return refusal }
        return state.withLock { $0.scripts.popFirst() } ?? answer(request)
    }

    /// Plays a script; returns true if the connection can serve another request.
    private func play(
        _ script: Script,
        to request: Request,
        on connection: ScriptedModelServerConnection
    ) async -> Bool {
        var writer = ScriptedModelServerWriter(request)
        for step in script.steps {
            switch await connection.take(step, &writer) {
            case .goesOn: continue
            case .ended: return false
            case .clientLeft:
                change { $0.abandoned += 1 }
                return false
            }
        }
        return true
    }
}
