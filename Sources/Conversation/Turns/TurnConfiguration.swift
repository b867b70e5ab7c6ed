import Domain

/// Holds the parts, the budgets and the bundle with which one turn is answered.
///
/// It is an object because each closure and task of a turn holds it, and a copy would retain every part.
final class TurnConfiguration: Sendable {
    let parts: PipelineDependencies
    let budgets: StageBudgets
    /// The bundle; nil when the parts are never exchanged.
    let bundle: TurnBundle?

    init(_ parts: PipelineDependencies, _ budgets: StageBudgets, _ bundle: TurnBundle? = nil) {
        (self.parts, self.budgets, self.bundle) = (parts, budgets, bundle)
    }
}
