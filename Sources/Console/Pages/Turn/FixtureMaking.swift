package import Conversation
package import Runtime

/// Converts a turn into a pseudonymised test case.
package protocol FixtureMaking: Sendable {
    /// A suite file with one test case, which a person must review before use.
    ///
    /// - Throws: ``ConsoleRefusal/conflict(_:)`` if something may still identify a person.
    func suite(of turn: TurnRecord, by deadline: Deadline) async throws(ConsoleRefusal) -> [UInt8]
}
