import Foundation

/// Structured log: each line is one JSON object with a level, an event's stable name and its fields.
///
/// Patient text never appears at `info` or above. Write an event where it is handled, once; what returns or throws an
/// error does not log it as well.
package struct Log: Sendable {
    /// How much an event matters.
    package enum Level: Int, Comparable, CaseIterable, Sendable {
        case debug, info, notice, warning, error

        /// The level's name in a line and in settings.
        package var name: String { "\(self)" }

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let sink: any LogSink
    private let minimum: Level
    private let fields: [LogField]

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - sink: Where lines go.
    ///   - minimum: The least level that is written.
    ///   - fields: Fields of every line.
    package init(to sink: any LogSink, minimum: Level = .info, fields: [LogField] = []) {
        self.sink = sink
        self.minimum = minimum
        self.fields = fields
    }

    /// This log with more fields on every line.
    package func with(_ more: LogField...) -> Log {
        Log(to: sink, minimum: minimum, fields: fields + more)
    }

    /// What a developer follows.
    package func debug(_ event: String, _ more: LogField...) { write(.debug, event, more) }

    /// What happens in ordinary service.
    package func info(_ event: String, _ more: LogField...) { write(.info, event, more) }

    /// What an operator wants to see at a start or a change.
    package func notice(_ event: String, _ more: LogField...) { write(.notice, event, more) }

    /// What is degraded, and still answered.
    package func warning(_ event: String, _ more: LogField...) { write(.warning, event, more) }

    /// What failed and needs somebody.
    package func error(_ event: String, _ more: LogField...) { write(.error, event, more) }

    /// Writes an event at a level that is chosen at run time.
    package func write(_ level: Level, _ event: String, _ more: [LogField]) {
        guard level >= minimum else { return }
        sink.write(LogLine(level: level, event: event, fields: fields + more, date: Date()))
    }
}
