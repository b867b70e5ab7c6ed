import Foundation

/// Moves vectors so that unrelated sentences are orthogonal.
///
/// The vectors of this model lie in a narrow cone: unrelated sentences have cosines around 0.8. Subtracting the mean
/// of neutral sentences and normalising again spreads them: `v' = (v - m) / |v - m|`, with one mean for both sides.
/// See Mu and Viswanath, "All-but-the-Top", 2018.
struct Centring {
    private let mean: [Float]

    /// Makes a centring from the mean of ordinary sentences' vectors.
    init(mean: [Float]) {
        self.mean = mean
    }

    /// Returns the centred vector, of unit length; the mean itself becomes the zero vector.
    func applied(to vector: [Float]) -> [Float] {
        precondition(
            vector.count == mean.count,
            "a vector of \(vector.count) numbers and a mean of \(mean.count)"
        )
        return zip(vector, mean).map { $0 - $1 }.normalized
    }
}

extension [Float] {
    /// The vector scaled to length 1; the zero vector stays as it is.
    var normalized: [Float] {
        let length = reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 1e-12 ? map { $0 / length } : self
    }
}
