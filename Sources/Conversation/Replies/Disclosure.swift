import Foundation

/// Decides whether a reply says that the companion is an AI, as laws on companions ask: at the first reply of a day.
///
/// A safety reply is never made longer by it: where canned words answer a danger, the next reply says it. Where a caller's
/// cap leaves too little room, nothing does. The words are the bundle's, under the name "disclosure".
package struct Disclosure: Sendable, Equatable {
    /// The frequency with which it is said.
    package enum Frequency: String, Sendable, CaseIterable {
        case off, daily
    }

    private let frequency: Frequency

    /// Makes a disclosure.
    package init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    private static let fewestOtherWords = 4

    /// The words that come before a reply; nil when it was said on that day, or is never said.
    ///
    /// - Parameters:
    ///   - day: Asked for only where something may have to be said.
    ///   - words: The most words of the whole reply.
    func words(
        before state: ConversationState,
        on day: @autoclosure () -> String,
        in language: String,
        from replies: CannedReplies,
        words: Int
    ) -> String? {
        guard frequency == .daily, state.disclosedOn != day() else { return nil }
        return replies.reply("disclosure", in: language, words: words - Self.fewestOtherWords)?.text
    }

    /// The day at a date, in the patient's zone: "2026-03-01"; in Greenwich's where the patient is not known.
    static func day(_ date: Date, of patient: Patient?) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = patient?.timeZone ?? .gmt
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    }
}
