/// What is said when no model has said anything that may be said.
package struct FallbackLines: Sendable, Equatable {
    /// Makes the lines.
    package init() {}

    /// A kind line that fits any ordinary message and promises nothing.
    ///
    /// - Parameters:
    ///   - isQuestion: Whether the patient asked something, which a line should not pass over.
    ///   - words: The most words, from 1.
    package func line(language: String, isQuestion: Bool, words: Int = Turn.maximumWords) -> String {
        let lines =
            switch (language.lowercased().hasPrefix("es"), isQuestion) {
            case (false, false): Self.kind
            case (false, true): Self.unsure
            case (true, false): Self.amable
            case (true, true): Self.insegura
            }
        return lines.first { WordCount.of($0) <= words } ?? lines[lines.count - 1]
    }

    /// Each from the longest to a single word.
    private static let kind = [
        "I'm here with you. Would you like to tell me a little more?", "I'm here with you.", "I'm here.", "Listening.",
    ]
    private static let unsure = [
        "I'm not sure about that. Would you like me to ask your family?", "I'm not sure about that.", "I'm not sure.",
        "Sorry.",
    ]
    private static let amable = [
        "Estoy aquí con usted. ¿Quiere contarme un poco más?", "Estoy aquí con usted.", "Estoy aquí.", "Dígame.",
    ]
    private static let insegura = [
        "No estoy seguro. ¿Quiere que pregunte a su familia?", "No estoy seguro.", "No sé.", "Perdón.",
    ]

    /// Thanks for an ordinary message that nobody waits to have answered.
    package func late(language: String) -> String {
        language.lowercased().hasPrefix("es")
            ? "Gracias. He tomado nota de lo que me dijo." : "Thank you. I've noted what you told me."
    }
}
