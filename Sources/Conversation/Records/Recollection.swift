package import Foundation

/// Something said before that is close to what is said now.
package struct RecalledMemory: Sendable, Equatable {
    /// Which memory.
    package let id: MemoryID
    /// What was said, and what was answered.
    package let text: String
    /// How close it is, from -1 to 1, after recency.
    package let score: Float
    /// Whether it was found by an exact word rather than by meaning.
    package let isExact: Bool
    /// When it was said.
    package let at: Date

    /// Makes a memory that was recalled.
    package init(id: MemoryID, text: String, score: Float, isExact: Bool, at: Date) {
        self.id = id
        self.text = text
        self.score = score
        self.isExact = isExact
        self.at = at
    }
}

/// What recall found, with the vector that it searched by.
package struct Recollection: Sendable, Equatable {
    /// The memories, nearest first.
    package let memories: [RecalledMemory]
    /// The message's vector, centred and of unit length; empty when there is none.
    package let vector: [Float]
    /// What kept the search from being whole; nil when it was.
    ///
    /// Without a vector the memories are those that share an exact word; with one they may lack the newest.
    package let shortfall: RecallError?

    /// Makes a recollection; a whole one unless a shortfall is given.
    package init(memories: [RecalledMemory] = [], vector: [Float] = [], shortfall: RecallError? = nil) {
        self.memories = memories
        self.vector = vector
        self.shortfall = shortfall
    }
}
