/// What a model made of a message that it looked at once more: one line with a level and a category, or "none".
package struct TriageVerdict: Sendable, Equatable {
    /// How soon a human must know.
    package let level: Level
    /// What it is about; nil where there is nothing.
    package let category: Category?

    /// Makes a verdict; a level above none has a category.
    init(level: Level, category: Category?) {
        self.level = level
        self.category = category
    }

    /// Reads an answer; nil when it is anything but one such line, with or without a full stop.
    ///
    /// A model that says more, or something else, has not understood what it was asked, and what it means is not guessed.
    package init?(_ answer: String) {
        let lines = answer.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        guard let line = lines.first, lines.count == 1 else { return nil }
        let words = line.lowercased().split { !($0.isLetter || $0 == "_") }.map(String.init)
        switch words.count {
        case 1 where words[0] == Level.none.rawValue:
            self.init(level: .none, category: nil)
        case 2:
            guard let level = Level(rawValue: words[0]), level > .none, let category = Category(rawValue: words[1]),
                Self.categories.contains(category)
            else { return nil }
            self.init(level: level, category: category)
        default: return nil
        }
    }

    /// What a message may be about.
    private static let categories: Set<Category> = [
        .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication, .selfHarm,
        .confusion,
        .wandering, .scam, .abuse, .neglect, .environment, .nutrition, .distress,
    ]
}
