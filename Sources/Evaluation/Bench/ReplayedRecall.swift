import Conversation
import Foundation
import Runtime

/// Recall for a replayed turn: the memories stored with the turn, otherwise what recall finds now among earlier
/// messages.
///
/// The engine embeds the message in either case, because the detector needs its vector.
struct ReplayedRecall: MemoryRecall {
    let canStore = false
    private let kept: [RecalledMemory]?
    private let date: Date
    private let engine: any MemoryRecall

    init(_ turn: TurnRecord, engine: any MemoryRecall) {
        self.engine = engine
        date = turn.receivedAt
        kept = turn.making.map { Self.memories($0, turn.memories) }
    }

    /// The recalled memories, without those deleted since.
    private static func memories(_ making: ReplyMaking, _ memories: [TurnRecord.Memory]) -> [RecalledMemory] {
        zip(making.recalled, memories).compactMap { recalled, memory in
            guard let text = memory.text, let at = memory.saidAt else { return nil }
            return RecalledMemory(
                id: recalled.id,
                text: text,
                score: memory.score,
                isExact: memory.isExact,
                at: at
            )
        }
    }

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> Recollection {
        guard let kept else {
            let found = try await engine.recall(text, of: patient, tenant: tenant, limit: limit, by: deadline)
            let earlier = found.memories.filter { $0.at < date }
            return Recollection(memories: earlier, vector: found.vector, shortfall: found.shortfall)
        }
        let memories = Array(kept.prefix(limit))
        do throws(RecallError) {
            return Recollection(memories: memories, vector: try await engine.vector(of: text, by: deadline))
        } catch {
            return Recollection(memories: memories, shortfall: error)
        }
    }

    func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        try await engine.vector(of: sentence, by: deadline)
    }

    func store(_ memory: StoredMemory, by deadline: Deadline) async throws(RecallError) {}
}
