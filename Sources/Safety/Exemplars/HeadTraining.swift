/// Trains a head on exemplars with their vectors, and measures it on groups that it was not trained on.
///
/// The thresholds are the scores that the stated shares of ordinary exemplars reach while their whole group, with seven
/// or so others, was left out of training. Beside them stand the figures with single exemplars left out: what differs
/// between the two is what a head knows of its groups and not of danger.
package struct HeadTraining: Sendable {
    private let exemplars: [Exemplar]
    private let settings: HeadSettings
    private let labels: [String]
    private let vectors: [Float]
    private let packed: PackedVectors
    private let dimension: Int

    /// Makes a training of exemplars, each with its vector.
    package init(_ exemplars: [Exemplar], vectors: [[Float]], settings: HeadSettings = HeadSettings()) {
        precondition(exemplars.count == vectors.count && !vectors.isEmpty, "a vector for each exemplar")
        self.exemplars = exemplars
        self.settings = settings
        self.vectors = vectors.flatMap { $0 }
        dimension = vectors[0].count
        labels = Set(exemplars.map(\.label)).sorted()
        packed = vectors.reduce(into: PackedVectors(dimension: vectors[0].count)) { $0.append($1) }
    }

    /// Trains; about four minutes of one core for 1,450 exemplars in a release build.
    package func run() -> (head: ExemplarHead, figures: HeadFigures) {
        let cosines = (0..<packed.count).map { packed.cosines(with: row($0)) }
        let apart = scores(leavingOut: exemplars.map(\.group), cosines)
        let together = scores(leavingOut: exemplars.indices.map { "\($0)" }, cosines)
        let thresholds = HeadThresholds(
            found: threshold(apart, at: settings.falseAlarmRate),
            sure: threshold(apart, at: settings.sureFalseAlarmRate)
        )
        let all = Array(exemplars.indices)
        let head = ExemplarHead(
            exemplars,
            labels: labels,
            classifier: training.classifier(of: all),
            vectors: packed,
            settings: settings,
            thresholds: thresholds
        )
        let figures = HeadFigures(
            risk: exemplars.count(where: \.isRisk),
            ordinary: exemplars.count { !$0.isRisk },
            groups: Set(exemplars.map(\.group)).count,
            groupsLeftOut: figure(apart, thresholds),
            exemplarsLeftOut: figure(together, thresholds)
        )
        return (head, figures)
    }

    private var training: SoftmaxTraining {
        SoftmaxTraining(
            vectors: vectors,
            dimension: dimension,
            labels: exemplars.map { exemplar in labels.firstIndex(of: exemplar.label) ?? 0 },
            classes: labels.count,
            regularisation: settings.regularisation,
            steps: settings.steps
        )
    }

    private func row(_ place: Int) -> PackedVectors {
        PackedVectors(
            dimension: dimension,
            scales: [packed.scales[place]],
            numbers: Array(packed.numbers[(place * dimension)..<((place + 1) * dimension)])
        )
    }

    /// For each exemplar the fold in which it is left out; those with one name are left out together.
    private func folds(of names: [String], division: Int) -> [Int] {
        var random = SplitMix(state: settings.seed &+ UInt64(division))
        let shuffled = Set(names).sorted().shuffled(using: &random)
        let foldOfName = Dictionary(uniqueKeysWithValues: shuffled.enumerated().map { ($1, $0 % settings.folds) })
        return names.map { foldOfName[$0] ?? 0 }
    }

    /// The scores of each exemplar by heads that have not seen those of its name, one for each division.
    private func scores(leavingOut names: [String], _ cosines: [[Float]]) -> [[Float]] {
        (0..<settings.divisions).map { scores(folds(of: names, division: $0), cosines) }
    }

    /// The score of each exemplar by a head that has not seen its fold.
    private func scores(_ folds: [Int], _ cosines: [[Float]]) -> [Float] {
        var scores = [Float](repeating: 0, count: exemplars.count)
        for fold in 0..<settings.folds {
            let known = exemplars.indices.filter { folds[$0] != fold }
            let classifier = training.classifier(of: known)
            for place in exemplars.indices where folds[place] == fold {
                let vector = Array(vectors[(place * dimension)..<((place + 1) * dimension)])
                let probabilities = vector.withUnsafeBufferPointer(classifier.probabilities)
                var margin = NeighbourMargin(settings.neighbours)
                for other in known { margin.add(cosines[place][other], isRisk: exemplars[other].isRisk) }
                scores[place] = ExemplarHead.score(
                    calm: probabilities[labels.firstIndex(of: Exemplar.ordinary) ?? 0],
                    margin: margin.value,
                    settings
                )
            }
        }
        return scores
    }

    /// The score that at most a share of the ordinary exemplars reaches.
    private func threshold(_ scores: [[Float]], at rate: Double) -> Float {
        let ordinary = exemplars.indices.filter { !exemplars[$0].isRisk }
        let calm = scores.flatMap { scores in ordinary.map { scores[$0] } }.sorted(by: >)
        return calm[min(calm.count - 1, Int(rate * Double(calm.count)))].nextUp
    }

    private func figure(_ scores: [[Float]], _ thresholds: HeadThresholds) -> HeadFigures.Figure {
        func share(_ isRisk: Bool) -> Double {
            let meant = exemplars.indices.filter { exemplars[$0].isRisk == isRisk }
            let found = scores.map { scores in meant.count { scores[$0] >= thresholds.found } }.reduce(0, +)
            return Double(found) / Double(max(1, meant.count * scores.count))
        }
        return HeadFigures.Figure(recall: share(true), falseAlarms: share(false))
    }
}

/// What training measured of the head that it made.
package struct HeadFigures: Sendable, Equatable, Codable {
    /// How a head did on exemplars that it had not seen.
    package struct Figure: Sendable, Equatable, Codable {
        /// The share of the exemplars of danger that it found.
        package let recall: Double
        /// The share of the ordinary ones that it took for danger.
        package let falseAlarms: Double
    }

    /// How many exemplars of danger there were.
    package let risk: Int
    /// How many of ordinary talk.
    package let ordinary: Int
    /// In how many groups.
    package let groups: Int
    /// With whole groups left out.
    package let groupsLeftOut: Figure
    /// With exemplars left out whose groups it knew.
    package let exemplarsLeftOut: Figure
}

/// A reproducible source of random numbers: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
