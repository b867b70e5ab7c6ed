/// How often a value changes, and with it everything that follows it in a provider's prompt cache.
package enum Volatility: Int, Sendable, Comparable, CaseIterable {
    /// The same for all patients that share a setting, such as a language.
    case setting
    /// A patient's own; changes when something is learnt.
    case patient
    /// Another one in every turn.
    case turn

    package static func < (left: Volatility, right: Volatility) -> Bool { left.rawValue < right.rawValue }
}
