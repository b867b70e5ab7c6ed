/// What is said when no model has said anything that may be said.
package struct FallbackLines: Sendable, Equatable {
    /// Makes the lines.
    package init() {}

    /// A kind line that fits any ordinary message and promises nothing.
    ///
    /// - Parameter isQuestion: Whether the patient asked something, which a line should not pass over.
    package func line(language: String, isQuestion: Bool) -> String {
        switch (language.lowercased().hasPrefix("es"), isQuestion) {
        case (false, false): "I'm here with you. Would you like to tell me a little more?"
        case (false, true): "I'm not sure about that. Would you like me to ask your family?"
        case (true, false): "Estoy aquí con usted. ¿Quiere contarme un poco más?"
        case (true, true): "No estoy seguro. ¿Quiere que pregunte a su familia?"
        }
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

    /// Thanks for an ordinary message that nobody waits to have answered.
    package func late(language: String) -> String {
        language.lowercased().hasPrefix("es")
            ? "Gracias. He tomado nota de lo que me dijo." : "Thank you. I've noted what you told me."
    }
}
