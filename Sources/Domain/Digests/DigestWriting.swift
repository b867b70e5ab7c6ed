package import Foundation

/// A digest as it is read: one subject, and the same words as text and as HTML.
package struct WrittenDigest: Sendable, Equatable {
    /// The subject, which says nothing of health.
    package let subject: String
    /// The words as plain text.
    package let text: String
    /// The words as a page.
    package let html: String

    package init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// Writes digests and says when they are due.
package protocol DigestWriting: Sendable {
    /// The first instant after another at which a digest is due in a zone.
    func due(after date: Date, in zone: TimeZone) -> Date

    /// The week of a digest that is due at an instant: seven days of the patient's zone, up to its Monday.
    func week(before due: Date, in zone: TimeZone) -> DateInterval

    /// Writes the digest of a week.
    func write(_ facts: WeeklyFacts, of week: DateInterval, in language: String) -> WrittenDigest
}
