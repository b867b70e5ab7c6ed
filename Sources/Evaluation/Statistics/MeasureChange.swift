/// How one measure changed between two runs.
package struct MeasureChange: Sendable, Equatable {
    /// "pass" for the fixtures themselves; otherwise a metric's name.
    package var name: String
    /// The base's rate.
    package var base: Double
    /// The candidate's rate.
    package var candidate: Double
    /// The mean difference, conversation by conversation.
    package var difference: Double
    /// The 95 % interval of the difference.
    package var interval: ClosedRange<Double>
    /// How many conversations were compared.
    package var count: Int
    /// The chance of such a drop if nothing changed, adjusted for the number of measures.
    package var dropChance: Double
    /// The same of a rise.
    package var riseChance: Double
    /// Whether it is told and has no part in the verdict.
    package var isAdvisory = false
}
