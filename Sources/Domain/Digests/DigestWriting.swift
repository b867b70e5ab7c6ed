package import Foundation

/// A digest that is ready to send: one subject, and the same text with and without markup.
package struct WrittenDigest: Sendable, Equatable {
    /// The subject, without health information.
    package let subject: String
    /// The plain text.
    package let text: String
    /// The text as an HTML page.
    package let html: String

    package init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// Writes digests and computes their due times.
package protocol DigestWriting: Sendable {
    /// Returns the first due time of a digest after an instant, in a zone.
    func due(after date: Date, in zone: TimeZone) -> Date

    /// Returns the seven days that a digest covers: in the patient's zone, up to the Monday of its due time.
    func week(before due: Date, in zone: TimeZone) -> DateInterval

    /// Writes the digest of a week.
    func write(_ facts: WeeklyFacts, of week: DateInterval, in language: String) -> WrittenDigest
}
