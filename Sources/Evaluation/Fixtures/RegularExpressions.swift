import Foundation
import Synchronization

/// Cache of compiled regular expressions in ICU syntax (NSRegularExpression).
final class RegularExpressions: Sendable {
    /// Shared cache of the process; fixtures repeat the same few patterns.
    static let shared = RegularExpressions()

    /// `@unchecked Sendable`: NSRegularExpression is immutable and documented as safe to use from several threads.
    private struct Compiled: @unchecked Sendable {
        let expression: NSRegularExpression
    }

    private let compiled = Mutex<[String: Compiled]>([:])

    /// Compiled form of a pattern; nil if the pattern is invalid.
    func expression(_ pattern: String) -> NSRegularExpression? {
        compiled.withLock { compiled in
            if let known = compiled[pattern] { return known.expression }
            guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
            compiled[pattern] = Compiled(expression: expression)
            return expression
        }
    }

    /// First match of a pattern in a text; nil if there is none or the pattern is invalid.
    func first(_ pattern: String, in text: String) -> String? {
        let whole = NSRange(text.startIndex..., in: text)
        guard let match = expression(pattern)?.firstMatch(in: text, range: whole) else { return nil }
        return Range(match.range, in: text).map { String(text[$0]) } ?? ""
    }
}
