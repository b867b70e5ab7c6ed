package import Foundation

/// A memory that is close to the present message.
package struct RecalledMemory: Sendable, Equatable {
    /// The memory's identity.
    package let id: MemoryID
    /// The message and the reply.
    package let text: String
    /// The closeness, from -1 to 1, after recency.
    package let score: Float
    /// True if it was found by an exact word rather than by meaning.
    package let isExact: Bool
    /// The time when it was said.
    package let at: Date

    package init(id: MemoryID, text: String, score: Float, isExact: Bool, at: Date) {
        self.id = id
        self.text = text
        self.score = score
        self.isExact = isExact
        self.at = at
    }
}

/// The result of recall, with the vector of the search.
package struct Recollection: Sendable, Equatable {
    /// The memories, nearest first.
    package let memories: [RecalledMemory]
    /// The message's vector, centred and of unit length; empty when there is none.
    package let vector: [Float]
    /// The reason why the search was incomplete; nil when it was complete.
    ///
    /// Without a vector the memories are those that share an exact word; with a vector the newest may be missing.
    package let shortfall: RecallError?

    /// Makes a recollection, complete unless a shortfall is given.
    package init(memories: [RecalledMemory] = [], vector: [Float] = [], shortfall: RecallError? = nil) {
        self.memories = memories
        self.vector = vector
        self.shortfall = shortfall
    }
}
