import Dispatch
import Foundation
import Synchronization

/// A destination for log lines.
package protocol LogSink: Sendable {
    /// Takes a line; must never wait for a reader.
    func write(_ line: LogLine)
}

/// Writes lines to standard error from its own thread, so that a slow reader never delays a turn.
///
/// At most 8,192 lines wait. Beyond that lines are dropped, and the next written line tells how many.
package final class StandardErrorSink: LogSink {
    private static let capacity = 8192
    private let queue = DispatchQueue(label: "hearth.log")
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)

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

    /// Returns once every earlier line has been written.
    package func flush() {
        queue.sync {}
    }

    private func put(_ line: LogLine) {
        if !StandardStream.error.write(line.json + "\n") { dropped.add(1, ordering: .relaxed) }
    }
}

/// Keeps lines in memory, for tests that check the log.
package final class MemoryLogSink: LogSink {
    private let kept = Mutex<[LogLine]>([])

    package init() {}

    /// The lines so far.
    package var lines: [LogLine] { kept.withLock { $0 } }

    package func write(_ line: LogLine) {
        kept.withLock { $0.append(line) }
    }
}
