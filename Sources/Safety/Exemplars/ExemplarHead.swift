import Conversation
import Foundation

/// Hears danger in a message's vector: a linear classifier over the categories, and the nearest exemplars beside it.
///
/// The score is the classifier's log-odds that the message is no ordinary talk, plus a weight times how much nearer the
/// nearest exemplars of danger are than those of ordinary talk. The category is the classifier's; the level is that of the
/// category's nearest exemplars, at most medium, and at most high where the score is sure or those exemplars are of a life
/// in danger. An exemplar alone never says more.
package struct ExemplarHead: Sendable, Equatable {
    let exemplars: [Exemplar]
    let labels: [String]
    let classifier: SoftmaxClassifier
    let vectors: PackedVectors
    let settings: HeadSettings
    /// The scores from which a message counts as found.
    package let thresholds: HeadThresholds
    /// For each exemplar its label's place among the labels.
    private let labelOfExemplar: [Int]
    private let ordinary: Int

    init(
        _ exemplars: [Exemplar],
        labels: [String],
        classifier: SoftmaxClassifier,
        vectors: PackedVectors,
        settings: HeadSettings,
        thresholds: HeadThresholds
    ) {
        self.exemplars = exemplars
        self.labels = labels
        self.classifier = classifier
        self.vectors = vectors
        self.settings = settings
        self.thresholds = thresholds
        let places = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
        labelOfExemplar = exemplars.map { places[$0.label] ?? 0 }
        ordinary = places[Exemplar.ordinary] ?? 0
    }

    /// How many numbers a vector has.
    package var dimension: Int { classifier.dimension }

    /// What a message's vector, centred and of unit length, sounds like; about 65 µs.
    package func suspicion(of vector: [Float]) -> Suspicion {
        var packed = PackedVectors(dimension: dimension)
        packed.append(vector)
        let cosines = vectors.cosines(with: packed)
        let probabilities = vector.withUnsafeBufferPointer(classifier.probabilities)
        let score = Self.score(calm: probabilities[ordinary], margin: margin(cosines), settings)
        let likeliest = likeliestRisk(probabilities)
        let near = nearest(cosines) { labelOfExemplar[$0] == likeliest }
        return Suspicion(
            score: score,
            threshold: thresholds.found,
            category: Conversation.Category(rawValue: labels[likeliest]) ?? .distress,
            level: level(score, near),
            nearest: nearest(cosines) { _ in true }.map { neighbour($0, cosines) },
            group: near.first.map { exemplars[$0].group } ?? ""
        )
    }

    /// The log-odds of danger, from the probability that there is none, with the weight of the neighbours.
    static func score(calm: Float, margin: Float, _ settings: HeadSettings) -> Float {
        let calm = min(max(calm, 1e-6), 1 - 1e-6)
        return log((1 - calm) / calm) + settings.neighbourWeight * margin
    }

    private func margin(_ cosines: [Float]) -> Float {
        var margin = NeighbourMargin(settings.neighbours)
        for (place, cosine) in cosines.enumerated() {
            margin.add(cosine, isRisk: labelOfExemplar[place] != ordinary)
        }
        return margin.value
    }

    private func likeliestRisk(_ probabilities: [Float]) -> Int {
        labels.indices.filter { $0 != ordinary }.max { probabilities[$0] < probabilities[$1] } ?? ordinary
    }

    /// The most common level of the nearest exemplars, the graver of two, within what the score allows.
    private func level(_ score: Float, _ near: [Int]) -> Level {
        guard score >= thresholds.found else { return .none }
        let levels = near.map { exemplars[$0].level }
        let common = levels.max { left, right in
            (levels.count { $0 == left }, left) < (levels.count { $0 == right }, right)
        }
        let isHigh = score >= thresholds.sure || common == .critical
        return min(common ?? .medium, isHigh ? .high : .medium)
    }

    private static let shown = 3

    private func nearest(_ cosines: [Float], where isMeant: (Int) -> Bool) -> [Int] {
        var best: [Int] = []
        var least = -Float.infinity
        for place in cosines.indices where cosines[place] > least && isMeant(place) {
            best.insert(place, at: best.firstIndex { cosines[$0] < cosines[place] } ?? best.count)
            if best.count > Self.shown { best.removeLast() }
            if best.count == Self.shown { least = cosines[best[Self.shown - 1]] }
        }
        return best
    }

    private func neighbour(_ place: Int, _ cosines: [Float]) -> Suspicion.Neighbour {
        Suspicion.Neighbour(
            group: exemplars[place].group,
            text: exemplars[place].text,
            closeness: cosines[place]
        )
    }
}

/// The scores from which a message counts as found.
package struct HeadThresholds: Sendable, Equatable, Codable {
    /// At most medium from here on.
    package let found: Float
    /// At most high from here on.
    package let sure: Float
}
