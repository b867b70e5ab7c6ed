import Conversation
import Domain
import Runtime

@testable import Console

/// A fixture that is the words of the turn; none is made of one that names somebody.
struct EchoedFixtures: FixtureExporting {
    func suite(of turn: TurnRecord, by deadline: Deadline) async throws(ConsoleError) -> [UInt8] {
        guard !turn.message.said.contains("Maggie") else { throw .conflict("It names somebody.") }
        return Array(turn.message.said.utf8)
    }
}
