/// A finding of a rule or the detector in a message.
package struct Finding: Sendable, Equatable, Codable {
    /// The person concerned.
    package enum Subject: String, Sendable, Codable { case `self`, other }
    /// The time of the event.
    package enum Tense: String, Sendable, Codable { case now, past }

    /// The urgency, after the guards have been weighed.
    package var level: Level
    /// The category of the danger.
    package var category: Category
    /// The rule or the detector's category: "falls.fell", "detector.fall".
    package var rule: String
    /// The place in the original text, in UTF-8 bytes.
    package var span: Range<Int>
    /// The person concerned.
    package var subject: Subject
    /// The time of the event.
    package var tense: Tense
    /// True if it was denied: "I did not fall".
    package var isNegated: Bool
    /// The screen's confidence, from 0 to 1.
    package var confidence: Double

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
