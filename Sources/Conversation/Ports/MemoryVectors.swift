package import Runtime

/// The system of record of memory vectors: what a replica's index is loaded from.
package protocol MemoryVectors: Sendable {
    /// Every memory of a patient that was stored after a position, in order of position, at most `limit`.
    ///
    /// - Parameter position: 0 for all of them; otherwise the position of the last one that the caller has.
    func memories(
        of patient: PatientID,
        tenant: TenantID,
        after position: Int64,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [MemoryVector]

    /// Stores a memory with its vector; storing the same identity again changes nothing. Returns its position.
    func insert(
        _ memory: StoredMemory,
        vector: [Float],
        by deadline: Deadline
    ) async throws(RecordsError) -> Int64
}

/// A stored memory with its vector.
package struct MemoryVector: Sendable, Equatable {
    /// The memory.
    package let memory: StoredMemory
    /// Its vector, centred and of unit length.
    package let vector: [Float]
    /// Where it stands in the patient's memories; grows with each that is stored.
    package let position: Int64

    /// Makes a stored memory with its vector.
    package init(memory: StoredMemory, vector: [Float], position: Int64) {
        self.memory = memory
        self.vector = vector
        self.position = position
    }
}

/// A memory that is to be stored, with its vector.
package struct EmbeddedMemory: Sendable, Equatable {
    /// The memory.
    package let memory: StoredMemory
    /// Its vector, centred and of unit length.
    package let vector: [Float]

    /// Makes a memory with its vector.
    package init(_ memory: StoredMemory, vector: [Float]) {
        self.memory = memory
        self.vector = vector
    }
}

/// Where a memory that was stored stands among its patient's.
package struct MemoryPlace: Sendable, Equatable {
    /// Its position.
    package let position: Int64
    /// The position of the patient's memory before it; 0 when it is the first.
    package let previous: Int64

    /// Makes a place from the record.
    package init(position: Int64, previous: Int64) {
        self.position = position
        self.previous = previous
    }
}
