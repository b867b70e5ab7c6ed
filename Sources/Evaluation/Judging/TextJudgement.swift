import Conversation
import Foundation

/// Evaluates assertions on the text of the reply alone.
enum TextJudgement {
    /// Result of an assertion; nil if it is of another kind.
    static func of(_ kind: Assertion.Kind, _ reply: String) -> Judgement? {
        switch kind {
        case .equals(let text): .holds(reply == text, "the reply is \"\(reply)\"")
        case .contains(let texts, let all, let ignoringCase): contains(texts, all: all, ignoringCase, reply)
        case .startsWith(let text, let ignoringCase):
            .holds(folded(reply, ignoringCase).hasPrefix(folded(text, ignoringCase)), "the reply is \"\(reply)\"")
        case .endsWith(let text): .holds(reply.hasSuffix(text), "the reply is \"\(reply)\"")
        case .regex(let pattern): regex(pattern, reply)
        case .wordCount(let range): wordCount(range, reply)
        case .levenshtein(let text, let limit): levenshtein(text, limit, reply)
        case .isRefusal: .holds(isRefusal(reply), "the reply is \"\(reply)\"")
        case .noMedicalAdvice: advice(AdvicePatterns.medical(in: reply))
        case .noLegalAdvice: advice(AdvicePatterns.legal(in: reply))
        default: nil
        }
    }

    private static func folded(_ text: String, _ ignoringCase: Bool) -> String {
        ignoringCase ? text.lowercased() : text
    }

    private static func contains(_ texts: [String], all: Bool, _ ignoringCase: Bool, _ reply: String) -> Judgement {
        let reply = folded(reply, ignoringCase)
        let found = texts.filter { reply.contains(folded($0, ignoringCase)) }
        let holds = all ? found.count == texts.count : !found.isEmpty
        let what = found.isEmpty ? "none of \(texts)" : "\(found)"
        return .holds(holds, "the reply \"\(reply)\" holds \(what)")
    }

    private static func regex(_ pattern: String, _ reply: String) -> Judgement {
        let found = RegularExpressions.shared.first(pattern, in: reply)
        return .holds(found != nil, found.map { "\"\($0)\" was found" } ?? "nothing was found in \"\(reply)\"")
    }

    private static func wordCount(_ range: ClosedRange<Int>, _ reply: String) -> Judgement {
        let count = WordCount.of(reply)
        return .holds(range.contains(count), "the reply has \(count) words")
    }

    private static func advice(_ found: String?) -> Judgement {
        .holds(found == nil, "it advises: \"\(found ?? "")\"")
    }

    private static func isRefusal(_ reply: String) -> Bool {
        RegularExpressions.shared.first(
            "(?i)\\b(?:i (?:can't|cannot|can not|won't|am not able to|'m not able to|'m unable to)|i'm not (?:able|sure about)|no puedo|eso no puedo)\\b",
            in: reply.replacing("\u{2019}", with: "'")
        ) != nil
    }

    private static func levenshtein(_ text: String, _ limit: Int, _ reply: String) -> Judgement {
        let distance = distance(Array(text), Array(reply))
        return .holds(distance <= limit, "the distance is \(distance)")
    }

    /// Levenshtein distance (1966); the time is proportional to the product of the lengths.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for other in right.indices {
                let replaced = diagonal + (character == right[other] ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = min(replaced, row[other] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
