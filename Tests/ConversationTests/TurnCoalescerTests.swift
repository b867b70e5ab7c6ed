import Foundation
import Runtime
import TestSupport
import Testing

@testable import Conversation
@testable import Domain

/// Callers who join a turn that is being answered, and turns that nobody awaits.
@Suite(.timeLimit(.minutes(1)))
struct TurnCoalescerTests {
    private let flights = TurnCoalescer()
    private let turn = Turn(
        tenant: TenantID(),
        patient: PatientID(),
        text: "I fell",
        spokenAt: Date(),
        receivedAt: Date(),
        idempotencyKey: "k"
    )

    private let reply = Reply(
        text: "Stay still.",
        keepListening: true,
        conversation: ConversationID(),
        message: MessageID(),
        source: .fixed,
        promptVersion: "test"
    )

    @Test func `who sends a turn again after everybody has hung up begins a new one`() async throws {
        let (begun, release) = (OneShot<Void>(), OneShot<Void>())
        let first = Task {
            try await flights.run(turn) {
                begun.settle(())
                await shielded { await release.value(ifCancelled: ()) }
                return .failure(.cancelled)
            }
        }
        await begun.value(ifCancelled: ())
        first.cancel()
        while flights.count > 0 { await Task.yield() }

        let (again, finish) = (OneShot<Void>(), OneShot<Void>())
        let second = Task {
            try await flights.run(turn) {
                again.settle(())
                await finish.value(ifCancelled: ())
                return .success(Answer(reply))
            }
        }
        await again.value(ifCancelled: ())
        release.settle(())
        await #expect(throws: TurnError.cancelled) { try await first.value }
        #expect(flights.count == 1, "the end of the first turn leaves the second one's place alone")
        finish.settle(())
        #expect(try await second.value.reply.text == "Stay still.")
        #expect(flights.count == 0)
    }

    @Test func `a turn goes on while one of its callers is there`() async throws {
        let (begun, finish) = (OneShot<Void>(), OneShot<Void>())
        let first = Task {
            try await flights.run(turn) {
                begun.settle(())
                await finish.value(ifCancelled: ())
                return Task.isCancelled ? .failure(.cancelled) : .success(Answer(reply))
            }
        }
        await begun.value(ifCancelled: ())
        let again = Turn(
            tenant: turn.tenant,
            patient: turn.patient,
            text: turn.text,
            spokenAt: turn.spokenAt,
            receivedAt: Date(),
            idempotencyKey: turn.idempotencyKey
        )
        let second = Task.immediate { try await flights.run(again) { .failure(.cancelled) } }
        finish.settle(())
        #expect(try await first.value.isReplay == false)
        #expect(try await second.value.reply.text == "Stay still.")
        #expect(again.trace.spans.map(\.stage) == ["joined"], "its own ledger says where its time went")
    }

    @Test func `another turn under the same key is refused`() async throws {
        let (begun, finish) = (OneShot<Void>(), OneShot<Void>())
        let first = Task {
            try await flights.run(turn) {
                begun.settle(())
                await finish.value(ifCancelled: ())
                return .success(Answer(reply))
            }
        }
        await begun.value(ifCancelled: ())
        let other = Turn(
            tenant: turn.tenant,
            patient: turn.patient,
            text: "other",
            spokenAt: Date(),
            receivedAt: Date(),
            idempotencyKey: "k",
            fingerprint: "other"
        )
        await #expect(throws: TurnError.keyReused("k")) { try await flights.run(other) { .failure(.cancelled) } }
        finish.settle(())
        _ = try await first.value
    }
}
