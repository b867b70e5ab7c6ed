/// One thing that a rule or the detector found in a message.
package struct Finding: Sendable, Equatable, Codable {
    /// Whom it is about.
    package enum Subject: String, Sendable, Codable { case `self`, other }
    /// When it happens.
    package enum Tense: String, Sendable, Codable { case now, past }

    /// How soon a human must know, after the guards have been weighed.
    package var level: Level
    /// What it is about.
    package var category: Category
    /// The rule or the detector's category: "falls.fell", "detector.fall".
    package var rule: String
    /// Where in the original text, in UTF-8 bytes.
    package var span: Range<Int>
    /// Whom it is about.
    package var subject: Subject
    /// When it happens.
    package var tense: Tense
    /// Whether it was denied: "I did not fall".
    package var isNegated: Bool
    /// How sure the screen is, from 0 to 1.
    package var confidence: Double

    /// Makes a finding.
    package init(
        level: Level,
        category: Category,
        rule: String,
        span: Range<Int>,
        subject: Subject = .`self`,
        tense: Tense = .now,
        isNegated: Bool = false,
        confidence: Double = 1
    ) {
        self.level = level
        self.category = category
        self.rule = rule
        self.span = span
        self.subject = subject
        self.tense = tense
        self.isNegated = isNegated
        self.confidence = confidence
    }
}
