import Conversation
import Foundation
import Runtime

/// Recall that finds a fixture's memories in their order, with the fixture's fault.
struct GivenRecall: MemoryRecall {
    let canStore = true
    private let memories: [Given.Memory]
    private let fault: PortFault?
    private let time: any TimeSource

    init(_ memories: [Given.Memory], fault: PortFault?, time: any TimeSource) {
        self.memories = memories
        self.fault = fault
        self.time = time
    }

    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> Recollection {
        switch fault {
        case nil: break
        case .away: throw .engineUnavailable(reason: "scripted")
        case .slow(let duration):
            let began = time.now
            do {
                try await time.sleep(until: min(began + duration, deadline.instant))
            } catch {
                throw .cancelled
            }
            guard began + duration <= deadline.instant else { throw .timedOut(after: deadline.instant.since(began)) }
        }
        let date = time.date
        return Recollection(
            memories: memories.prefix(limit).enumerated().map { index, memory in
                RecalledMemory(
                    id: MemoryID(),
                    text: memory.text,
                    score: 0.9 - Float(index) * 0.05,
                    isExact: false,
                    at: date.addingTimeInterval(-memory.ago.seconds)
                )
            }
        )
    }

    func store(_ memory: StoredMemory, by deadline: Deadline) async throws(RecallError) {}
}
