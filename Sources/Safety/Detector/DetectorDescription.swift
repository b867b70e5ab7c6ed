/// The JSON description at the beginning of a detector's file.
package struct DetectorDescription: Sendable, Equatable, Codable {
    /// A group of outputs that belong together.
    package struct Head: Sendable, Equatable, Codable {
        /// The conversion of outputs to probabilities.
        package enum Kind: String, Sendable, Codable {
            /// Exactly one label is true.
            case softmax
            /// Each label is true or false on its own.
            case sigmoid
        }

        /// The head's name: "danger", "category".
        package let name: String
        /// The conversion of outputs to probabilities.
        package let kind: Kind
        /// The labels of the outputs.
        package let labels: [String]
    }

    /// Calibration and thresholds with or without the vector.
    package struct Mode: Sendable, Equatable, Codable {
        /// The factors of each head's outputs before conversion; a softmax has one for all.
        package let slopes: [String: [Float]]
        /// The offsets of each head's outputs.
        package let shifts: [String: [Float]]
        /// The thresholds of probabilities by name: "medium.confident", "scam.suspected".
        package let thresholds: [String: Double]
    }

    /// The kind of text read: "messages" or "replies".
    package let purpose: String
    /// The space of the vectors; empty without vectors.
    package let space: String
    /// The number of components of a vector; 0 without vectors.
    package let dimension: Int
    /// The number of hidden units; a multiple of 16.
    package let hidden: Int
    /// The number of n-grams with weights.
    package let rows: Int
    /// The weights of word n-grams and letter n-grams.
    package let gains: [Float]
    /// The heads in the order of their outputs.
    package let heads: [Head]
    /// The modes by name: "vector", "text".
    package let modes: [String: Mode]
    /// The SHA-256 of the training corpus.
    package let corpus: String

    /// The number of outputs.
    package var outputs: Int { heads.reduce(0) { $0 + $1.labels.count } }
}
