/// What a detector's file says of itself, in JSON before its numbers.
package struct DetectorDescription: Sendable, Equatable, Codable {
    /// A group of numbers that belong together.
    package struct Head: Sendable, Equatable, Codable {
        /// How its numbers become probabilities.
        package enum Kind: String, Sendable, Codable {
            /// One of the labels is true.
            case softmax
            /// Each label is true or not.
            case sigmoid
        }

        /// Its name: "danger", "category".
        package let name: String
        /// How its numbers become probabilities.
        package let kind: Kind
        /// What its numbers stand for.
        package let labels: [String]
    }

    /// What holds for a detector that has the vector, or has not.
    package struct Mode: Sendable, Equatable, Codable {
        /// For each head, the factors of its numbers before they become probabilities; one for all where it is a softmax.
        package let slopes: [String: [Float]]
        /// For each head, what is added to its numbers.
        package let shifts: [String: [Float]]
        /// The probabilities from which something counts, by name: "medium.confident", "scam.suspected".
        package let thresholds: [String: Double]
    }

    /// What is read: "messages" or "replies".
    package let purpose: String
    /// The space of the vectors; empty when it uses none.
    package let space: String
    /// How many numbers a vector has; 0 when it uses none.
    package let dimension: Int
    /// How many numbers lie between n-grams and heads; a multiple of 16.
    package let hidden: Int
    /// How many n-grams have weights.
    package let rows: Int
    /// How much n-grams of words and of letters count.
    package let gains: [Float]
    /// The heads, in the order of their numbers.
    package let heads: [Head]
    /// By name: "vector", "text".
    package let modes: [String: Mode]
    /// The SHA-256 of the corpus that it was trained on.
    package let corpus: String

    /// How many numbers the heads have.
    package var outputs: Int { heads.reduce(0) { $0 + $1.labels.count } }
}
