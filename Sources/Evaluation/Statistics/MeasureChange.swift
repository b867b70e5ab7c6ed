/// Change of one measure between two runs.
package struct MeasureChange: Sendable, Equatable {
    /// "pass" for the pass rate; otherwise a metric's name.
    package var name: String
    /// Rate of the base.
    package var base: Double
    /// Rate of the candidate.
    package var candidate: Double
    /// Mean of the differences per conversation.
    package var difference: Double
    /// 95 % interval of the difference.
    package var interval: ClosedRange<Double>
    /// Number of compared conversations.
    package var count: Int
    /// P-value of the drop, adjusted for the number of measures.
    package var dropChance: Double
    /// P-value of the rise, adjusted likewise.
    package var riseChance: Double
    /// Whether it is reported without affecting the verdict.
    package var isAdvisory = false
}
