import Foundation

/// The tone of a patient's messages of one day, judged by their words alone.
///
/// It is a hint, not a finding. Messages with a burdened phrase are weighed against messages with a cheerful one.
package enum DayMood: Sendable, Equatable {
    case cheerful, mixed, low

    /// Reads the messages of a day; nil when none of them contains such a phrase.
    package init?(_ messages: [String]) {
        var (glad, heavy) = (0, 0)
        for message in messages {
            let words = Self.words(message)
            if Self.holds(words, Self.heavy) { heavy += 1 } else if Self.holds(words, Self.glad) { glad += 1 }
        }
        guard glad + heavy > 0 else { return nil }
        self = heavy == 0 ? .cheerful : glad > 2 * heavy ? .cheerful : heavy > glad ? .low : .mixed
    }

    private static let glad = phrases(
        """
        happy|glad|lovely|wonderful|delighted|laughed|laugh|enjoyed|great day|good day|feeling good|feel good|fun|proud
        looking forward|beautiful|grateful|thank god|feliz|contenta|contento|alegre|alegria|encantada|encantado|me rei
        disfrute|que bonito|que bien|me gusto|orgullosa|orgulloso|agradecida|agradecido|maravilloso|gracias a dios
        """
    )

    private static let heavy = phrases(
        """
        sad|lonely|alone all|miss him|miss her|crying|cried|worried|afraid|scared|tired of|hurts|pain|ache|can't sleep
        couldn't sleep|did not sleep|upset|hopeless|useless|a burden|frightened|depressed|miserable|nobody calls
        triste|sola|solo todo|la extrano|lo extrano|la echo de menos|lo echo de menos|llore|llorando|preocupada|preocupado
        miedo|cansada de|cansado de|me duele|dolor|no puedo dormir|no dormi|angustia|inutil|una carga|deprimida|deprimido
        """
    )

    private static func phrases(_ text: String) -> [[String]] {
        text.split { $0 == "|" || $0.isNewline }.map { words(String($0)) }.filter { !$0.isEmpty }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().replacing("’", with: "'").folding(options: .diacriticInsensitive, locale: nil)
            .split { !($0.isLetter || $0 == "'") }.map(String.init)
    }

    /// Returns true if the words contain a phrase without a "not" before it.
    private static func holds(_ words: [String], _ phrases: [[String]]) -> Bool {
        phrases.contains { phrase in
            words.indices.contains { place in
                words[place...].starts(with: phrase) && (place == 0 || !negations.contains(words[place - 1]))
            }
        }
    }

    private static let negations: Set<String> = [
        "not", "no", "never", "isn't", "wasn't", "don't", "nunca", "sin", "nada",
    ]
}
