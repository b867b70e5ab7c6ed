import Synchronization

/// The call budgets that all turns of a process share.
final class SharedCallBudgets: Sendable {
    private let budgets: Mutex<CallBudgets>

    init(_ budgets: CallBudgets) {
        self.budgets = Mutex(budgets)
    }

    /// Applies an event with exclusive use of the budgets.
    func take(
        _ event: ModelLadder.Event,
        _ view: ModelLadder.View,
        of ladder: inout ModelLadder
    ) -> [ModelLadder.Action] {
        budgets.withLock { budgets in ladder.take(event, view, spending: &budgets) }
    }
}
