package import Foundation
package import Runtime

/// Why nothing could be recalled.
package enum RecallError: Error, Equatable {
    /// The embedding engine is not there or failed.
    case engineUnavailable(reason: String)
    /// Too many sentences wait to be embedded.
    case overloaded(waiting: Int)
    /// The deadline passed.
    case timedOut(after: Duration)
    /// The caller was cancelled.
    case cancelled
    /// The index or its file failed.
    case indexFailed(reason: String)
}

/// In words, for the trace and the log: printing a case by reflection costs more than finding the memories.
extension RecallError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .engineUnavailable(let reason): "engine unavailable: \(reason)"
        case .overloaded(let waiting): "\(waiting) sentences wait"
        case .timedOut(let time): "timed out after \(time.milliseconds) ms"
        case .cancelled: "cancelled"
        case .indexFailed(let reason): "index failed: \(reason)"
        }
    }
}

/// Finds what was said before that is close to what is said now.
package protocol MemoryRecall: Sendable {
    /// Whether there is anything that can embed a memory, so that storing one may succeed.
    var canStore: Bool { get }

    /// Embeds a text and finds the patient's memories nearest to it, with those that share a rare exact word.
    ///
    /// About 12 ms for a short sentence that was not embedded lately, on the engine's own threads. What was
    /// found when a part fails or is late is returned with its ``Recollection/shortfall``.
    ///
    /// - Parameter limit: How many memories at most, 1 to 64.
    /// - Throws: ``RecallError`` when there is neither a vector nor a memory to return, and when cancelled.
    func recall(
        _ text: String,
        of patient: PatientID,
        tenant: TenantID,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecallError) -> Recollection

    /// The vector of a sentence, in the space of those that ``recall(_:of:tenant:limit:by:)`` gives; about 12 ms.
    func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float]

    /// Embeds a memory and stores it, so that it can be recalled from now on; storing the same identity again
    /// changes nothing.
    func store(_ memory: StoredMemory, by deadline: Deadline) async throws(RecallError)

    /// Takes note that a turn has stored its memory, which can be recalled from now on.
    func stored(_ memory: EmbeddedMemory, at place: MemoryPlace)
}

extension MemoryRecall {
    /// Recall without an engine has no vectors.
    package func vector(of sentence: String, by deadline: Deadline) async throws(RecallError) -> [Float] {
        throw .engineUnavailable(reason: "nothing here embeds sentences")
    }

    /// Recall without memories of its own notes nothing.
    package func stored(_ memory: EmbeddedMemory, at place: MemoryPlace) {}
}

/// A memory as it is stored.
package struct StoredMemory: Sendable, Equatable {
    /// Which memory.
    package let id: MemoryID
    /// Whose.
    package let patient: PatientID
    /// The patient's tenant.
    package let tenant: TenantID
    /// What was said, and what was answered.
    package let text: String
    /// When.
    package let at: Date

    /// Makes a memory to be stored.
    package init(id: MemoryID, patient: PatientID, tenant: TenantID, text: String, at: Date) {
        self.id = id
        self.patient = patient
        self.tenant = tenant
        self.text = text
        self.at = at
    }
}
