import Foundation

/// Where the embedding engine is and how much it may take.
package struct EmbeddingSettings: Sendable, Equatable {
    /// What computes the vectors.
    package enum Kernel: Sendable, Equatable {
        /// The best that the processor can run; e5.c where it can run none.
        case best
        /// One by its name; e5.c where the processor cannot run it.
        case named(String)
        /// e5.c.
        case none
    }

    /// The compiled library.
    package var library: String
    /// The model file.
    package var model: String
    /// The SHA-256 that the model file must have.
    package var modelDigest: String
    /// What computes the vectors.
    package var kernel = Kernel.best
    /// How many threads embed at once.
    package var threads: Int
    /// How many sentences may wait for a thread.
    package var waiting: Int
    /// The most tokens of a sentence that are read, 16 to 256.
    ///
    /// A token costs about 0.15 ms on one core, 1.5 ms without AVX2: 128 of them, some 95 words, fit into the 300 ms that a
    /// turn gives to recall. On a busy machine fewer are read.
    package var maximumTokens: Int

    /// Makes settings for the engine in a folder, as set-up leaves it: `libe5.so` and `e5-small-q4.bin`.
    ///
    /// - Parameter threads: Half of the processors unless given: the other half is the event loops'.
    package init(
        folder: String,
        modelDigest: String = E5Space.modelDigest,
        threads: Int = max(1, ProcessInfo.processInfo.activeProcessorCount / 2),
        waiting: Int = 256,
        maximumTokens: Int = 128
    ) {
        library = folder + "/libe5.so"
        model = folder + "/e5-small-q4.bin"
        self.modelDigest = modelDigest
        self.threads = threads
        self.waiting = waiting
        self.maximumTokens = maximumTokens
    }
}
