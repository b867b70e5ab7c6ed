import Conversation

/// Collects the alerts that an earlier process left in the spool, each with its notifications so far.
struct SpooledAlertsLeft {
    private var found: [AlertID: (alertCase: AlertCase, fall: FallID?)] = [:]
    private var order: [AlertID] = []

    /// The alerts in order of arrival.
    var all: [(AlertCase, FallID?)] { order.compactMap { found[$0] } }

    /// Adds a write; later progress replaces earlier progress.
    mutating func note(_ write: SpooledWrite) {
        switch write {
        case .recorded(let recorded):
            for alert in recorded.decision.alerts {
                add(AlertCase(spooled: alert, of: recorded.turn, knowing: nil), fall: nil)
            }
        case .raised(let alert, let turn): add(AlertCase(spooled: alert, of: turn, knowing: nil), fall: nil)
        case .alarm(_, let alertCase): add(alertCase, fall: nil)
        case .fell(let event, let alertCase?): add(alertCase, fall: event.fall)
        case .fell(let event, nil): take(event)
        case .told(let alertCase):
            let fall = found[alertCase.alert.id]?.fall
            found[alertCase.alert.id] = (alertCase, fall)
        case .committed: break
        }
    }

    private mutating func add(_ alertCase: AlertCase, fall: FallID?) {
        order.append(alertCase.alert.id)
        found[alertCase.alert.id] = (alertCase, fall)
    }

    /// Applies a later event to the suspected fall.
    private mutating func take(_ event: FallEvent) {
        let suspected = found.first { _, left in
            left.fall != nil && left.alertCase.patient.id == event.patient && left.alertCase.state == .held
        }
        guard let (id, left) = suspected else { return }
        switch event.kind {
        case .resolved: found[id]?.alertCase.state = .withdrawn
        case .confirmed: found[id]?.alertCase = left.alertCase.released
        case .candidate: break
        }
    }
}
