package import Conversation
import Foundation

/// The checks of a conversation: one is asked, others wait behind it.
extension ConversationState {
    private static let mostWaiting = 4

    /// Every open check, the one that was asked last first.
    package var checks: [Check] { [check].compactMap { $0 } + waiting }

    /// The state without the checks that nobody has spoken to since a date.
    ///
    /// While the latest is open, those behind it stay open too: their time begins when they are asked again.
    func withoutChecks(askedBefore date: Date) -> ConversationState {
        var state = self
        if let check, check.askedAt < date {
            state.check = nil
            state.waiting = []
        }
        return state
    }

    /// Opens the check of a finding that is answered with a line of ours, and says which check is asked now.
    ///
    /// A check never becomes milder by it, and a critical one is not put off by another that is not critical; that one
    /// waits. The check that was open before waits as well.
    ///
    /// - Parameter isOpen: Whether the line asks something; a critical matter stays open in any case.
    mutating func ask(_ finding: Finding, at date: Date, asksIfWell: Bool, isOpen: Bool) -> Check {
        var asked = Check(category: finding.category, level: finding.level, askedAt: date, asksIfWell: asksIfWell)
        guard isOpen || finding.level == .critical || asksIfWell else { return asked }
        let known = checks.filter { $0.category == finding.category }
        if let gravest = known.max(by: { $0.level < $1.level }), gravest.level >= finding.level {
            asked.level = gravest.level
            asked.step = gravest.step + 1
        }
        var others = checks.filter { $0.category != finding.category }
        if var first = others.first, first.level == .critical, asked.level < .critical,
            first.category == check?.category
        {
            first.askedAt = date
            first.step += 1
            others[0] = first
            (check, waiting) = (first, [asked] + others.dropFirst())
        } else {
            (check, waiting) = (asked, others)
        }
        waiting = Array(waiting.prefix(Self.mostWaiting))
        return check ?? asked
    }

    /// Closes the check that was asked last; the next one counts as asked now.
    mutating func closeCheck(at date: Date) {
        check = waiting.first
        waiting = Array(waiting.dropFirst())
        check?.askedAt = date
        check?.step = 0
    }
}
