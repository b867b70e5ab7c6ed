import Conversation
import Foundation
import Testing

@testable import PostgresStore

@Suite struct StoredStateTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 785_000_000.125)
    private static let check = ConversationState.Check(
        category: .fall,
        level: .high,
        askedAt: date,
        step: 2,
        asksIfWell: true
    )
    private static let states = [
        ConversationState(riskAt: date),
        ConversationState(
            check: check,
            waiting: [check, check],
            risk: ["fall": 0.5, "scam": 1],
            riskAt: date
        ),
        ConversationState(disclosedOn: "2026-03-01"), ConversationState(offeredAt: date),
    ]

    private func written(_ state: ConversationState) -> [UInt8]? {
        if case .json(let bytes) = StoredState.value(of: state) { bytes } else { nil }
    }

    @Test(arguments: states)
    func `a state is read back as it was written`(state: ConversationState) throws {
        let bytes = try #require(written(state))
        #expect(StoredState.state(from: bytes) == state)
        #expect(try JSONDecoder().decode(ConversationState.self, from: Data(bytes)) == state)
    }

    @Test(arguments: states)
    func `a state that a coder wrote is read`(state: ConversationState) throws {
        #expect(StoredState.state(from: Array(try JSONEncoder().encode(state))) == state)
    }

    @Test func `nothing is stored of a state that carries nothing`() {
        #expect(StoredState.value(of: ConversationState()) == .null)
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"waiting":[]}"#, #"{"risk":{},"waiting":1}"#,
            #"{"risk":{"fall":"high"},"waiting":[]}"#,
            #"{"risk":{},"waiting":[{}]}"#, #"{"risk":{},"waiting":[],"check":{"category":"fall"}}"#,
            #"{"risk":{},"waiting":[],"check":{"category":"none such","level":"high","askedAt":1,"step":0}}"#,
        ]
    )
    func `what is no state is not read`(text: String) {
        #expect(StoredState.state(from: Array(text.utf8)) == nil)
    }
}
