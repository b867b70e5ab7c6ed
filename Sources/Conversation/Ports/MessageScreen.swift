package import Foundation

/// Looks for danger in a patient's message.
///
/// Synchronous and bounded: under a millisecond for 4,000 characters.
package protocol MessageScreen: Sendable {
    /// Screens the words of a message.
    func screen(_ text: String) -> Screening

    /// Screens a message for danger that no rule names, by its vector; by its words alone when the vector is empty.
    func screen(vector: [Float], of text: String) -> Screening
}

/// Turns a screening into a decision.
///
/// Pure: the same input gives the same decision.
package protocol DecisionPolicy: Sendable {
    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - memory: The patient's data; nil when it could not be read, which never lowers the level.
    ///   - date: The present time.
    func decide(_ turn: Turn, _ screening: Screening, memory: PatientMemory?, at date: Date) -> Decision

    /// Weighs a model's reply as evidence.
    ///
    /// The result's alerts are those still to be raised.
    func resolve(
        _ decision: Decision,
        _ heard: HeardReply,
        _ turn: Turn,
        _ screening: Screening,
        memory: PatientMemory?,
        at date: Date
    ) -> Decision

    /// Returns the conversation's state after a reply.
    ///
    /// - Parameters:
    ///   - text: The whole reply.
    ///   - canned: The canned replies in it, in order.
    func state(after text: String, _ canned: [CannedReply], of decision: Decision, at date: Date) -> ConversationState
}

/// The protection that a sentence offers to somebody in danger.
package enum Protection: Int, Sendable, Comparable {
    /// It offers none.
    case none
    /// It asks for a protective action: sit down, hang up, pay nothing, tell somebody, see a doctor.
    case protective
    /// It sends for emergency help, or out of the house.
    case emergency

    package static func < (left: Protection, right: Protection) -> Bool { left.rawValue < right.rawValue }
}

/// The output screen's decision about one sentence.
package enum OutputVerdict: Sendable, Equatable {
    /// The sentence may be spoken.
    case pass
    /// The sentence may be spoken in this form, without its unspeakable parts.
    case rewrite(String)
    /// The sentence is left out; the rule tells why.
    case drop(rule: String)
    /// The reply ends before the sentence; the rule tells why.
    case end(rule: String)
    /// A canned reply replaces the whole reply; the rule tells why.
    case replace(with: CannedReply, rule: String)
}

/// Looks for forbidden content in a model's words.
package protocol OutputScreen: Sendable {
    /// Returns whether the vector of a sentence may change its verdict.
    func wantsVector(of sentence: String) -> Bool

    /// Screens one sentence of a reply, in the posture of its model.
    ///
    /// - Parameter vector: The sentence's vector; empty when it was not wanted or is unavailable.
    func screen(
        _ sentence: String,
        vector: [Float],
        answering turn: Turn,
        _ decision: Decision,
        in posture: Posture
    ) -> OutputVerdict

    /// The protection that a sentence offers.
    func protection(of sentence: String) -> Protection
}

extension OutputScreen {
    /// Returns none: the screen knows no protective words.
    package func protection(of sentence: String) -> Protection { .none }

    /// Returns false: the screen looks at words alone.
    package func wantsVector(of sentence: String) -> Bool { false }

    /// Screens one sentence by its words alone.
    package func screen(
        _ sentence: String,
        answering turn: Turn,
        _ decision: Decision,
        in posture: Posture
    ) -> OutputVerdict {
        screen(sentence, vector: [], answering: turn, decision, in: posture)
    }
}
