/// The rate at which a value changes, which invalidates what follows it in a provider's prompt cache.
package enum Volatility: Int, Sendable, Comparable, CaseIterable {
    /// Equal for all patients with a setting, such as a language.
    case setting
    /// Specific to a patient; changes with new facts.
    case patient
    /// Different in every turn.
    case turn

    package static func < (left: Volatility, right: Volatility) -> Bool { left.rawValue < right.rawValue }
}
