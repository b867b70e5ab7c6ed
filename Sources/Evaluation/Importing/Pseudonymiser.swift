package import Foundation

/// Replaces personal data: names, numbers, addresses and dates, each consistently throughout.
///
/// Names must be passed in; numbers and addresses are found by their form. Text that still resembles personal data is
/// reported, and the fixture is then not written.
package struct Pseudonymiser: Sendable {
    private static let pseudonyms = [
        "Maggie", "Laura", "Peter", "Rosa", "Walter", "Helen", "Martin", "Clara", "Arthur", "Irene", "Hugo", "Nora",
    ]
    private static let email = "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}"
    private static let number = "\\+?\\(?\\d(?:[ ().-]{0,2}\\d){5,}"
    private static let street =
        "\\b\\d{1,5}\\s+(?:[A-Z][a-z]+\\s+){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way)\\b\\.?"
    private static let link = "https?://\\S+|www\\.\\S+"

    private var names: [(name: String, standIn: String)] = []
    private let shift: TimeInterval

    /// Creates a pseudonymiser for one turn.
    ///
    /// - Parameters:
    ///   - names: Names of all persons in the database; each part of a name is replaced too.
    ///   - shift: Offset added to all instants, in seconds.
    package init(names: [String], shift: TimeInterval) {
        self.shift = shift
        var known: Set<String> = []
        for (index, name) in names.enumerated() {
            let standIn = Self.pseudonyms[index % Self.pseudonyms.count]
            for part in [name] + name.split(separator: " ").map(String.init) where part.count > 1 {
                if known.insert(part.lowercased()).inserted { self.names.append((part, standIn)) }
            }
        }
        self.names.sort { $0.name.count > $1.name.count }
    }

    /// The text without personal data.
    package func text(_ text: String) -> String {
        var text = text
        for (name, standIn) in names {
            let pattern = "(?i)(?<![\\p{L}])\(NSRegularExpression.escapedPattern(for: name))(?![\\p{L}])"
            text = replaced(pattern, in: text, with: standIn)
        }
        text = replaced(Self.link, in: text, with: "example.com")
        text = replaced(Self.email, in: text, with: "somebody@example.com")
        text = replaced(Self.street, in: text, with: "the house")
        return replaced(Self.number, in: text, with: "555-0100")
    }

    /// The instant with the offset added.
    package func date(_ date: Date) -> Date { date.addingTimeInterval(shift) }

    /// Pieces of a text that may still be personal data; empty if there are none.
    package func remains(in text: String) -> [String] {
        let plain = text.replacing("555-0100", with: "").replacing("somebody@example.com", with: "")
        let patterns = [
            Self.email, Self.number, Self.street, "(?i)(?:https?://|www\\.)(?!example)\\S+",
            "\\b\\d{3}-\\d{2}-\\d{4}\\b",
        ]
        let formal = "\\b(?:Mr|Mrs|Ms|Dr|Miss)\\.? (?!\(Self.pseudonyms.joined(separator: "|")))[A-Z][a-z]+"
        let introduced =
            "(?i:my name is|i am called|this is|me llamo) (?!\(Self.pseudonyms.joined(separator: "|")))[A-Z][a-z]+"
        return (patterns + [formal, introduced]).compactMap { RegularExpressions.shared.first($0, in: plain) }
    }

    private func replaced(_ pattern: String, in text: String, with template: String) -> String {
        guard let expression = RegularExpressions.shared.expression(pattern) else { return text }
        let whole = NSRange(text.startIndex..., in: text)
        return expression.stringByReplacingMatches(in: text, range: whole, withTemplate: template)
    }
}
