import Foundation

/// A linear classifier with probabilities: multinomial logistic regression.
struct SoftmaxClassifier: Sendable, Equatable {
    /// How many classes there are.
    let classes: Int
    /// How many numbers a vector has.
    let dimension: Int
    /// The weights, for each number of a vector and then the bias, one of each class.
    var weights: [Float]

    /// Makes a classifier that knows nothing yet.
    init(classes: Int, dimension: Int) {
        self.classes = classes
        self.dimension = dimension
        weights = [Float](repeating: 0, count: classes * (dimension + 1))
    }

    /// The probability of each class; about 5 µs for 384 numbers and 16 classes.
    func probabilities(of vector: UnsafeBufferPointer<Float>) -> [Float] {
        var scores = [Float](repeating: 0, count: classes)
        weights.withUnsafeBufferPointer { weights in
            scores.withUnsafeMutableBufferPointer { scores in
                for place in 0..<dimension {
                    let value = vector[place]
                    let row = place * classes
                    for index in 0..<classes { scores[index] += value * weights[row + index] }
                }
                for index in 0..<classes { scores[index] += weights[dimension * classes + index] }
            }
        }
        let greatest = scores.max() ?? 0
        for index in scores.indices { scores[index] = exp(scores[index] - greatest) }
        let sum = scores.reduce(0, +)
        for index in scores.indices { scores[index] /= sum }
        return scores
    }
}
