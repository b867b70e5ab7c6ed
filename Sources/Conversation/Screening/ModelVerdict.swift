/// A model's verdict on a message: one line with a level and a category, or "none".
package struct ModelVerdict: Sendable, Equatable {
    /// The urgency.
    package let level: Level
    /// The category of the danger; nil when there is none.
    package let category: Category?

    /// Makes a verdict; a level above none needs a category.
    package init(level: Level, category: Category?) {
        self.level = level
        self.category = category
    }

    /// Reads an answer that consists of a verdict; nil when it says anything else.
    ///
    /// A model that says more has not understood the request, and its meaning is not guessed.
    package init?(answer: String) {
        let lines = answer.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        guard let line = lines.first, lines.count == 1 else { return nil }
        self.init(line: line)
    }

    /// Reads one line, with or without a full stop: "high fall", "none", "none none".
    package init?(line: some StringProtocol) {
        let words = line.lowercased().split { !($0.isLetter || $0 == "_") }.map(String.init)
        switch words.count {
        case 1 where words[0] == "none", 2 where words == ["none", "none"]:
            self.init(level: .none, category: nil)
        case 2:
            guard let level = Level(rawValue: words[0]), level > .none, let category = Category(rawValue: words[1]),
                category.isSpoken
            else { return nil }
            self.init(level: level, category: category)
        default: return nil
        }
    }
}

extension Category {
    /// True if a message can have this category; the others belong to the service.
    package var isSpoken: Bool {
        switch self {
        case .inactivity, .emergencyButton, .noResponse, .systemDegraded, .request: false
        default: true
        }
    }
}
