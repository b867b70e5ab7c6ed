import Conversation
import Foundation

/// Hears danger in a message's vector: a linear classifier over the categories, and the nearest exemplars beside it.
///
/// The score is the classifier's log-odds that the message is no ordinary talk, plus a weight times how much nearer the
/// nearest exemplars of danger are than those of ordinary talk. The category is the classifier's; the level is that of the
/// category's nearest exemplars, at most medium, and at most high where the score is sure. An exemplar alone never
/// says that a life is in danger.
package struct ExemplarHead: Sendable, Equatable {
    let exemplars: [Exemplar]
    let labels: [String]
    let classifier: SoftmaxClassifier
    let vectors: PackedVectors
    let settings: HeadSettings
    /// The scores from which a message counts as found.
    package let thresholds: HeadThresholds

    /// How many numbers a vector has.
    package var dimension: Int { classifier.dimension }

    /// What a message's vector, centred and of unit length, sounds like; about 80 µs.
    package func suspicion(of vector: [Float]) -> Suspicion {
        var packed = PackedVectors(dimension: dimension)
        packed.append(vector)
        let cosines = vectors.cosines(with: packed)
        let probabilities = vector.withUnsafeBufferPointer(classifier.probabilities)
        let score = Self.score(probabilities, labels, margin: margin(cosines), settings)
        let category = category(probabilities)
        let near = nearest(3, cosines) { $0.category == category }
        return Suspicion(
            score: score,
            threshold: thresholds.found,
            category: category,
            level: level(score, near),
            nearest: nearest(3, cosines) { _ in true }.map(neighbour(cosines)),
            group: near.first.map { exemplars[$0].group } ?? ""
        )
    }

    /// The log-odds of danger with the weight of the neighbours.
    static func score(_ probabilities: [Float], _ labels: [String], margin: Float, _ settings: HeadSettings) -> Float {
        let ordinary = labels.firstIndex(of: Exemplar.ordinary).map { probabilities[$0] } ?? 0
        let calm = min(max(ordinary, 1e-6), 1 - 1e-6)
        return log((1 - calm) / calm) + settings.neighbourWeight * margin
    }

    /// How much nearer the nearest exemplars of danger are than those of ordinary talk, on average.
    static func margin(_ cosines: some Sequence<(isRisk: Bool, cosine: Float)>, neighbours: Int) -> Float {
        var risk = NearestFew(neighbours)
        var ordinary = NearestFew(neighbours)
        for (isRisk, cosine) in cosines {
            if isRisk { risk.add(cosine) } else { ordinary.add(cosine) }
        }
        return risk.mean - ordinary.mean
    }

    private func margin(_ cosines: [Float]) -> Float {
        Self.margin(
            zip(exemplars, cosines).lazy.map { (isRisk: $0.isRisk, cosine: $1) },
            neighbours: settings.neighbours
        )
    }

    private func category(_ probabilities: [Float]) -> Conversation.Category {
        let risks = labels.indices.filter { labels[$0] != Exemplar.ordinary }
        let likeliest = risks.max { probabilities[$0] < probabilities[$1] }
        return likeliest.flatMap { Conversation.Category(rawValue: labels[$0]) } ?? .distress
    }

    /// The most common level of the nearest exemplars, the graver of two, within what the score allows.
    private func level(_ score: Float, _ near: [Int]) -> Level {
        guard score >= thresholds.found else { return .none }
        let levels = near.map { exemplars[$0].level }
        let common = levels.max { left, right in
            (levels.count { $0 == left }, left) < (levels.count { $0 == right }, right)
        }
        return min(common ?? .medium, score >= thresholds.sure ? .high : .medium)
    }

    private func nearest(_ count: Int, _ cosines: [Float], where isMeant: (Exemplar) -> Bool) -> [Int] {
        var best: [Int] = []
        for place in cosines.indices where isMeant(exemplars[place]) {
            let rank = best.firstIndex { cosines[$0] < cosines[place] } ?? best.count
            guard rank < count else { continue }
            best.insert(place, at: rank)
            if best.count > count { best.removeLast() }
        }
        return best
    }

    private func neighbour(_ cosines: [Float]) -> (Int) -> Suspicion.Neighbour {
        { place in
            Suspicion.Neighbour(
                group: exemplars[place].group,
                text: exemplars[place].text,
                closeness: cosines[place]
            )
        }
    }
}

/// The scores from which a message counts as found.
package struct HeadThresholds: Sendable, Equatable, Codable {
    /// At most medium from here on.
    package let found: Float
    /// At most high from here on.
    package let sure: Float
}

/// The greatest of many numbers.
private struct NearestFew {
    private let limit: Int
    private var values: [Float] = []

    init(_ limit: Int) {
        self.limit = limit
        values.reserveCapacity(limit + 1)
    }

    mutating func add(_ value: Float) {
        if values.count == limit, let least = values.last, value <= least { return }
        let rank = values.firstIndex { $0 < value } ?? values.count
        values.insert(value, at: rank)
        if values.count > limit { values.removeLast() }
    }

    var mean: Float { values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count) }
}
