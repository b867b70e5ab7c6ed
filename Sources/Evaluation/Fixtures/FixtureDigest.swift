import Conversation
import Cryptography
import Foundation

/// Digest of a fixture's inputs and assertions, with which a comparison detects changed fixtures.
enum FixtureDigest {
    /// Twelve hexadecimal digits.
    ///
    /// Generated identifiers and positions are excluded.
    static func of(_ fixture: Fixture) -> String {
        let given = fixture.given
        var parts: [String] = [
            fixture.severity.rawValue, "\(fixture.threshold ?? -1)", "\(fixture.repetition)",
            given.name, given.companion, given.language, given.timeZone.identifier, given.tone, "\(given.isKnown)",
            "\(given.clock.timeIntervalSince1970)", "\(given.memories)", "\(given.reminders.map(text))",
            "\(given.earlier)",
            "\(String(describing: given.model))", "\(String(describing: given.fallback))",
            given.answersReminder ?? "", "\(given.late)", "\(given.wordCap)", "\(given.isAwaited)",
        ]
        parts += given.facts.map { "\($0.kind) \($0.subject) \($0.text) \($0.saidBy)" }
        parts += given.contacts.map { "\($0.name) \($0.relation) \($0.isForAbuse)" }
        parts += given.faults.map { "\($0) \($1)" }.sorted()
        if let reason = fixture.skipReason { parts.append("skipped \(reason)") }
        for turn in fixture.turns {
            parts += [turn.said, "\(turn.after)"] + turn.assertions.map(text)
        }
        return String(Digest.sha256(parts.joined(separator: "\u{1F}")).hex.prefix(12))
    }

    /// Weekdays are sorted, because a set has no stable order.
    private static func text(_ reminder: Given.ReminderGiven) -> String {
        let due: String =
            switch reminder.schedule {
            case .once(let date): "\(date.timeIntervalSince1970)"
            case .weekly(let hour, let minute, let days): "\(hour):\(minute) \(days.sorted())"
            }
        return "\(reminder.title) \(reminder.kind) \(due) \(String(describing: reminder.doneAt))"
    }

    private static func text(_ assertion: Assertion) -> String {
        let head = "\(assertion.name) \(assertion.weight) \(assertion.metric ?? "")"
        guard case .set(let parts, let threshold) = assertion.kind else { return "\(head) \(assertion.kind)" }
        return "\(head) \(threshold ?? -1) [\(parts.map(text).joined(separator: "; "))]"
    }
}
