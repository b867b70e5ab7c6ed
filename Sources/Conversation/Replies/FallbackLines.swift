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

    /// What somebody who feels unwell should do first, and who is told.
    ///
    /// - Parameter isTold: Whether the family is told of it.
    package func unwell(language: String, isTold: Bool) -> String {
        switch (language.lowercased().hasPrefix("es"), isTold) {
        case (false, true): "Please sit down and rest. I'm letting your family know. How do you feel now?"
        case (false, false): "Please sit down and rest a moment. I'm here with you. How do you feel now?"
        case (true, true): "Siéntese y descanse, por favor. Aviso a su familia. ¿Cómo se siente ahora?"
        case (true, false): "Siéntese y descanse un momento, por favor. Estoy con usted. ¿Cómo se siente ahora?"
        }
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
