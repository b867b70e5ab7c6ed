import Conversation

/// The alerts that an earlier process left in the spool, each as far as people were told of it.
struct SpooledAlertsLeft {
    private var found: [AlertID: (alertCase: AlertCase, turn: Turn)] = [:]
    private var order: [AlertID] = []

    /// The alerts, the first to be kept first.
    var all: [(AlertCase, Turn)] { order.compactMap { found[$0] } }

    /// Takes note of a write; what was told later stands.
    mutating func note(_ write: SpooledWrite) {
        switch write {
        case .recorded(let recorded):
            for alert in recorded.decision.alerts {
                order.append(alert.id)
                found[alert.id] = (AlertCase(spooled: alert, of: recorded.turn, knowing: nil), recorded.turn)
            }
        case .raised(let alert, let turn):
            order.append(alert.id)
            found[alert.id] = (AlertCase(spooled: alert, of: turn, knowing: nil), turn)
        case .told(let alertCase, let turn): found[alertCase.alert.id] = (alertCase, turn)
        case .committed: break
        }
    }
}
