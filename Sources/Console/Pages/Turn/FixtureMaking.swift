package import Conversation
package import Runtime

/// Makes a test case of a turn, in which nothing names anybody.
package protocol FixtureMaking: Sendable {
    /// A suite file with the turn as its one case, to be looked at by a person before it counts.
    ///
    /// - Throws: ``ConsoleRefusal/conflict(_:)`` when something still looks as if it named somebody.
    func suite(of turn: TurnRecord, by deadline: Deadline) async throws(ConsoleRefusal) -> [UInt8]
}
