import Foundation
import Runtime
import Synchronization

/// The drainers' processes: each that is killed is followed by another.
final class DrillCrew: Sendable {
    private struct State {
        var children: [ChildProcess] = []
        var killed = 0
    }

    private let command: [String]
    private let count: Int
    private let state = Mutex(State())

    init(_ command: [String], count: Int) {
        self.command = command
        self.count = count
    }

    var killed: Int { state.withLock { $0.killed } }

    func start() {
        for _ in 0..<count { append() }
    }

    /// Kills one without a word, and starts its successor.
    func killOne(_ random: inout some RandomNumberGenerator) {
        let index = Int.random(in: 0..<count, using: &random)
        let child = state.withLock { state in
            state.killed += 1
            return state.children.remove(at: index)
        }
        end(child)
        append()
    }

    func stop() {
        let children = state.withLock { state in
            defer { state.children = [] }
            return state.children
        }
        for child in children { end(child) }
    }

    private func end(_ child: ChildProcess) {
        child.send(SIGKILL)
        _ = child.collect()
    }

    private func append() {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let output = ChildProcess.Output.descriptors(output: STDOUT_FILENO, error: STDERR_FILENO)
        guard let child = try? ChildProcess.start(command, environment: environment, output: output) else {
            fatalError("a drainer could not be started")
        }
        state.withLock { $0.children.append(child) }
    }
}
