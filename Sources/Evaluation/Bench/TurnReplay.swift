package import Conversation
import Foundation
import Runtime
import Synchronization

/// A turn that was answered, to be answered once more by another bundle.
///
/// The same words at the same time, with what was remembered then. There are no records and no spool behind it: nothing of
/// it is stored, and nobody is told.
package struct TurnReplay: Sendable {
    private let record: TurnRecord
    private let memory: PatientMemory
    private let recall: any MemoryRecall
    private let parts: EvaluationParts
    private let bundle: String

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - memory: What was remembered when the turn began.
    ///   - recall: Embeds the words, and finds what was said before for a turn of which that is not kept.
    ///   - parts: The bundle that answers, with the models that it asks.
    ///   - bundle: Its digest.
    package init(
        _ record: TurnRecord,
        memory: PatientMemory,
        recall: any MemoryRecall,
        parts: EvaluationParts,
        bundle: String
    ) {
        self.record = record
        self.memory = memory
        self.recall = recall
        self.parts = parts
        self.bundle = bundle
    }

    /// Answers the turn, on the loop on which it is called, within a turn's own time.
    func take() async -> ReplayedTurn {
        let time = CalendarTime(date: record.receivedAt)
        let records = ReplayedRecords(memory)
        let observer = SingleTurn()
        let spool = InMemorySpool()
        let pipeline = parts.pipeline(
            records: records,
            spool: spool,
            recall: ReplayedRecall(record, engine: recall),
            screen: parts.screen,
            models: parts.models(SampleContext(time: time)),
            observer: observer,
            time: time
        )
        let trace = Trace(time: time)
        let turn = Turn(
            tenant: record.patient.tenant,
            patient: record.patient.id,
            text: record.message.said,
            spokenAt: record.message.spokenAt,
            receivedAt: record.receivedAt,
            context: record.context,
            trace: trace
        )
        var refusal: TurnRefusal?
        do throws(TurnRefusal) {
            _ = try await pipeline.answer(turn, by: Deadline(after: parts.budgets.turn, from: trace.start))
        } catch {
            refusal = error
        }
        return ReplayedTurn(
            record: record,
            bundle: bundle,
            memory: memory,
            answered: observer.turn,
            refusal: refusal,
            alerts: records.alerts
        )
    }
}

/// What a bundle made of a turn that another one has answered.
package struct ReplayedTurn: Sendable {
    /// The turn as it was.
    package let record: TurnRecord
    /// The digest of the bundle that answered it again.
    package let bundle: String
    /// What was remembered.
    package let memory: PatientMemory
    /// The turn as it would be; nil when it was refused.
    package let answered: ObservedTurn?
    /// Why it was refused; nil when it was answered.
    package let refusal: TurnRefusal?
    /// The alerts that would be raised.
    package let alerts: [Alert]
}

/// Keeps the one turn that it is shown.
private final class SingleTurn: TurnObserving {
    private let kept = Mutex<ObservedTurn?>(nil)

    var turn: ObservedTurn? { kept.withLock { $0 } }

    func observe(_ turn: ObservedTurn) { kept.withLock { $0 = turn } }
}
