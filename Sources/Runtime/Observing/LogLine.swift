package import Foundation

/// A field's value in a log line.
package enum LogValue: Sendable, Equatable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
}

/// A type whose values can be log fields.
package protocol LogConvertible {
    /// The value as a log field.
    var logValue: LogValue { get }
}

extension String: LogConvertible { package var logValue: LogValue { .string(self) } }
extension Int: LogConvertible { package var logValue: LogValue { .integer(self) } }
extension Int32: LogConvertible { package var logValue: LogValue { .integer(Int(self)) } }
extension Double: LogConvertible { package var logValue: LogValue { .number(self) } }
extension Bool: LogConvertible { package var logValue: LogValue { .bool(self) } }

/// A name and a value in a log line.
package struct LogField: Sendable, Equatable {
    /// The field's name, `snake_case`.
    package let name: String
    /// Its value.
    package let value: LogValue
}

infix operator ~ : ComparisonPrecedence

/// Makes a log field: `log.info("turn_answered", "source" ~ "model")`.
package func ~ (name: String, value: some LogConvertible) -> LogField {
    LogField(name: name, value: value.logValue)
}

/// One event of the log.
package struct LogLine: Sendable {
    /// The importance of the event.
    package let level: Log.Level
    /// The event's stable name, `snake_case`.
    package let event: String
    /// The fields of the event.
    package let fields: [LogField]
    /// The time of the event.
    package let date: Date

    /// The line as one JSON object without a line break.
    package var json: String {
        var text = "{\"time\":\"\(date.formatted(Self.format))\",\"level\":\"\(level.name)\",\"event\":"
        text.appendJSONString(event)
        for field in fields {
            text += ","
            text.appendJSONString(field.name)
            text += ":"
            append(field.value, to: &text)
        }
        return text + "}"
    }

    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private func append(_ value: LogValue, to text: inout String) {
        switch value {
        case .string(let string): text.appendJSONString(string)
        case .integer(let integer): text += String(integer)
        case .number(let number): text += number.isFinite ? String(number) : "null"
        case .bool(let bool): text += String(bool)
        }
    }
}
