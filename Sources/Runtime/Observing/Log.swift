import Foundation

/// Writes a structured log: each line is one JSON object with a level, a stable event name and fields.
///
/// Patient text never appears at `info` or above. An event is logged once, where it is handled; code that returns or
/// throws an error does not log it as well.
package struct Log: Sendable {
    /// The importance of an event.
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
    ///   - sink: The destination of lines.
    ///   - minimum: The lowest level that is written.
    ///   - fields: The fields of every line.
    package init(to sink: any LogSink, minimum: Level = .info, fields: [LogField] = []) {
        self.sink = sink
        self.minimum = minimum
        self.fields = fields
    }

    /// Returns this log with more fields on every line.
    package func with(_ more: LogField...) -> Log {
        Log(to: sink, minimum: minimum, fields: fields + more)
    }

    /// Logs a detail for a developer.
    package func debug(_ event: String, _ more: LogField...) { write(.debug, event, more) }

    /// Logs an event of ordinary service.
    package func info(_ event: String, _ more: LogField...) { write(.info, event, more) }

    /// Logs an event that an operator wants to see at a start or a change.
    package func notice(_ event: String, _ more: LogField...) { write(.notice, event, more) }

    /// Logs a degradation of a service that still answers.
    package func warning(_ event: String, _ more: LogField...) { write(.warning, event, more) }

    /// Logs a failure that needs attention.
    package func error(_ event: String, _ more: LogField...) { write(.error, event, more) }

    /// Logs an event at a level that is chosen at run time.
    package func write(_ level: Level, _ event: String, _ more: [LogField]) {
        guard level >= minimum else { return }
        sink.write(LogLine(level: level, event: event, fields: fields + more, date: Date()))
    }
}
