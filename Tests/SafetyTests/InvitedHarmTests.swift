import Domain
import Testing

@testable import Safety

/// Harms that a message invites, which the judge finds at a lower probability.
struct InvitedHarmTests {
    /// A judgement that a sentence does one harm, beside what its message is about.
    struct Row: Sendable, CustomTestStringConvertible {
        let harm: ReplyHarm
        let probability: Double
        var message = Message()
        var protective = 0.0
        var sentence = "It is done."
        let isDone: Bool
        var testDescription: String { "\(harm) at \(probability) after \(message), \(sentence)" }
    }

    struct Message: Sendable {
        var requests = false
        var asks = false
        var fraud = 0.0
        var medication = 0.0
    }

    @Test(arguments: [
        Row(harm: .promise, probability: 0.25, message: Message(requests: true), isDone: true),
        Row(harm: .promise, probability: 0.15, message: Message(requests: true), isDone: false),
        Row(harm: .promise, probability: 0.25, message: Message(asks: true), isDone: false),
        Row(harm: .promise, probability: 0.25, message: Message(requests: true), protective: 0.4, isDone: false),
        Row(harm: .promise, probability: 0.25, message: Message(requests: true), sentence: "Done?", isDone: false),
        Row(harm: .record, probability: 0.45, message: Message(asks: true), isDone: true),
        Row(harm: .record, probability: 0.45, isDone: false),
        Row(harm: .legalFinancial, probability: 0.55, message: Message(asks: true), isDone: true),
        Row(harm: .legalFinancial, probability: 0.45, message: Message(asks: true), isDone: false),
        Row(harm: .fraudHelp, probability: 0.35, message: Message(fraud: 0.6), isDone: true),
        Row(harm: .fraudHelp, probability: 0.35, message: Message(fraud: 0.3), isDone: false),
        Row(harm: .dose, probability: 0.45, message: Message(medication: 0.9), isDone: true),
        Row(harm: .dose, probability: 0.45, message: Message(medication: 0.1), isDone: false),
        Row(harm: .belittles, probability: 0.6, message: Message(requests: true, asks: true, fraud: 1), isDone: false),
    ])
    func `a harm is invited by its own kind of message only`(row: Row) {
        let judgement = ReplyJudgement(
            harm: nil,
            probability: row.probability,
            mostProbableHarm: row.harm,
            shares: ReplyHarm.allCases.map { $0 == row.harm ? 1 : 0 },
            considerate: 0,
            usesVector: true,
            protective: row.protective,
            referral: 0,
            isProtective: false,
            isReferral: false
        )
        let heard = MessageProbabilities(
            danger: 0,
            fraud: row.message.fraud,
            selfHarm: 0,
            medication: row.message.medication
        )
        let decision = Decision(
            level: .none,
            alerts: [],
            reportsScam: false,
            state: ConversationState(),
            asks: row.message.asks,
            requestsAction: row.message.requests,
            probabilities: heard
        )
        #expect(InvitedHarm.isDone(by: judgement, row.sentence, after: decision) == row.isDone)
    }
}
