/// The quality of a detection: precision, recall and false alarms.
package struct Detection: Sendable, Equatable, Encodable {
    /// The share of detections that are true.
    package let precision: Proportion
    /// The share of true cases that are detected.
    package let recall: Proportion
    /// The share of other cases that are detected wrongly.
    package let falseAlarms: Proportion

    /// Counts pairs of truth and detection.
    package init(_ pairs: some Sequence<(isThere: Bool, isFound: Bool)>) {
        var counts = (right: 0, wrong: 0, missed: 0, calm: 0)
        for (isThere, isFound) in pairs {
            switch (isThere, isFound) {
            case (true, true): counts.right += 1
            case (false, true): counts.wrong += 1
            case (true, false): counts.missed += 1
            case (false, false): counts.calm += 1
            }
        }
        precision = Proportion(counts.right, of: counts.right + counts.wrong)
        recall = Proportion(counts.right, of: counts.right + counts.missed)
        falseAlarms = Proportion(counts.wrong, of: counts.wrong + counts.calm)
    }

    /// The harmonic mean of precision and recall.
    package var f1: Double {
        let sum = precision.value + recall.value
        return sum == 0 ? 0 : 2 * precision.value * recall.value / sum
    }

    private enum Key: String, CodingKey {
        case precision, recall, f1
        case falseAlarms = "false_alarms"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(precision, forKey: .precision)
        try container.encode(recall, forKey: .recall)
        try container.encode(f1, forKey: .f1)
        try container.encode(falseAlarms, forKey: .falseAlarms)
    }
}
