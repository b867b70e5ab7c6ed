import Foundation
import Synchronization

/// Compiled regular expressions, each compiled once; ICU syntax, as NSRegularExpression reads it.
final class RegularExpressions: Sendable {
    /// The process's expressions; fixtures and patterns repeat the same few.
    static let shared = RegularExpressions()

    /// `@unchecked Sendable`: NSRegularExpression is immutable and documented as safe to use from several threads.
    private struct Compiled: @unchecked Sendable {
        let expression: NSRegularExpression
    }

    private let compiled = Mutex<[String: Compiled]>([:])

    /// The expression of a pattern; nil when it is none.
    func expression(_ pattern: String) -> NSRegularExpression? {
        compiled.withLock { compiled in
            if let known = compiled[pattern] { return known.expression }
            guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
            compiled[pattern] = Compiled(expression: expression)
            return expression
        }
    }

    /// The first piece of a text that a pattern finds; nil when it finds none or is no pattern.
    func first(_ pattern: String, in text: String) -> String? {
        let whole = NSRange(text.startIndex..., in: text)
        guard let match = expression(pattern)?.firstMatch(in: text, range: whole) else { return nil }
        return Range(match.range, in: text).map { String(text[$0]) } ?? ""
    }
}
