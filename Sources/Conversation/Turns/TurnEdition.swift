import Domain

/// What a turn goes through that is answered with one bundle.
///
/// An object: each closure and task of a turn holds it, and a copy would count the references of all its parts.
final class TurnEdition: Sendable {
    let parts: PipelineDependencies
    let budgets: StageBudgets
    /// The bundle; nil when the parts are never exchanged.
    let bundle: TurnBundle?

    init(_ parts: PipelineDependencies, _ budgets: StageBudgets, _ bundle: TurnBundle? = nil) {
        (self.parts, self.budgets, self.bundle) = (parts, budgets, bundle)
    }
}
