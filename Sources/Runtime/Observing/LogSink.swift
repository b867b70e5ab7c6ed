import Dispatch
import Foundation
import Synchronization

/// Where log lines go.
package protocol LogSink: Sendable {
    /// Takes a line; never waits for whoever reads it.
    func write(_ line: LogLine)
}

/// Writes lines to standard error from a thread of its own, so that a slow reader never holds up a turn.
///
/// At most 8,192 lines wait; beyond that lines are dropped, and the next line that is written says how many.
package final class StandardErrorSink: LogSink {
    private static let capacity = 8192
    private let queue = DispatchQueue(label: "hearth.log")
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

    /// Makes the sink.
    package init() {}

    package func write(_ line: LogLine) {
        guard waiting.load(ordering: .relaxed) < Self.capacity else {
            dropped.add(1, ordering: .relaxed)
            return
        }
        waiting.add(1, ordering: .relaxed)
        queue.async { [self] in
            defer { waiting.subtract(1, ordering: .relaxed) }
            put(line)
            let lost = dropped.exchange(0, ordering: .relaxed)
            guard lost > 0 else { return }
            let fields = ["lines" ~ lost]
            put(LogLine(level: .warning, event: "log_lines_dropped", fields: fields, date: line.date))
        }
    }

    /// Returns once every line that was taken before has been written.
    package func flush() {
        queue.sync {}
    }

    private func put(_ line: LogLine) {
        if !StandardStream.error.write(line.json + "\n") { dropped.add(1, ordering: .relaxed) }
    }
}

/// Keeps lines in memory, for tests that ask what was logged.
package final class MemoryLogSink: LogSink {
    private let kept = Mutex<[LogLine]>([])

    /// Makes an empty sink.
    package init() {}

    /// The lines so far.
    package var lines: [LogLine] { kept.withLock { $0 } }

    package func write(_ line: LogLine) {
        kept.withLock { $0.append(line) }
    }
}
