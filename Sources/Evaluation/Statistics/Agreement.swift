import Foundation

/// How far a judge agrees with people beyond chance (Cohen's kappa, 1960).
package struct Agreement: Sendable, Equatable, Codable {
    /// A judge may gate when kappa is surely above this: "substantial" begins there (Landis and Koch, 1977).
    package static let needed = 0.6

    /// Both said yes.
    package var bothYes = 0
    /// Both said no.
    package var bothNo = 0
    /// The judge alone said yes.
    package var onlyJudge = 0
    /// The people alone said yes.
    package var onlyPeople = 0
    /// The judge gave no verdict.
    package var unmeasured = 0

    /// Begins with nothing.
    package init() {}

    /// Adds one label; nil when the judge gave no verdict.
    package mutating func add(judge: Bool?, people: Bool) {
        switch (judge, people) {
        case (nil, _): unmeasured += 1
        case (true, true): bothYes += 1
        case (false, false): bothNo += 1
        case (true, false): onlyJudge += 1
        case (false, true): onlyPeople += 1
        }
    }

    /// How many labels there are; a label without a verdict counts, as a disagreement.
    package var count: Int { bothYes + bothNo + onlyJudge + onlyPeople + unmeasured }

    /// The agreement beyond chance; nil when it is not defined, as when everybody always says the same.
    package var kappa: Double? {
        let (n, chance) = (Double(count), chance)
        guard n > 0, chance < 1 else { return nil }
        return (Double(bothYes + bothNo) / n - chance) / (1 - chance)
    }

    /// The 95 % interval of kappa by its large-sample error (Cohen, 1960); nil where kappa is.
    package var interval: ClosedRange<Double>? {
        guard let kappa else { return nil }
        let observed = Double(bothYes + bothNo) / Double(count)
        let error = (observed * (1 - observed) / (Double(count) * pow(1 - chance, 2))).squareRoot()
        return max(-1, kappa - Proportion.z * error)...min(1, kappa + Proportion.z * error)
    }

    /// Whether the judge may gate: at least 50 labels, and kappa surely above what is needed.
    package var isEnough: Bool { count >= 50 && (interval.map { $0.lowerBound > Self.needed } ?? false) }

    private var chance: Double {
        let n = Double(count)
        guard n > 0 else { return 1 }
        let people = Double(bothYes + onlyPeople) / n
        let judge = Double(bothYes + onlyJudge) / n
        return people * judge + (1 - people) * (1 - judge)
    }
}
