/// The state of an alert between its decision and its acknowledgement by a person.
///
/// Every change is stored with its instant and its actor, to show who knew what when.
package enum AlertState: String, Sendable, Codable, CaseIterable {
    /// Durable; nobody has been notified yet.
    case recorded
    /// Held for a while so that the patient can cancel it.
    case held
    /// Waits for the day's digest.
    case waiting
    /// Contacts have been sent messages.
    case notified
    /// The operators have been sent messages, or find the alert in their queue.
    case escalated
    /// A person has acknowledged it.
    case acknowledged
    /// A person has resolved it.
    case resolved
    /// The patient was well before anybody was notified.
    case withdrawn
    /// An earlier open alert about the same subject stands for it.
    case grouped
    /// It was sent in a digest.
    case digested
    /// All notifications were sent and nobody answered; it stays in the operators' queue.
    case exhausted

    /// True if its escalation continues.
    package var isOpen: Bool {
        switch self {
        case .recorded, .held, .waiting, .notified, .escalated: true
        case .acknowledged, .resolved, .withdrawn, .grouped, .digested, .exhausted: false
        }
    }

    /// True if the operators find it in their queue.
    package var isOperators: Bool { self == .escalated || self == .exhausted }

    /// Returns whether this state may be followed by another; a state never follows itself.
    package func mayBecome(_ next: AlertState) -> Bool {
        switch self {
        case .recorded: next != .recorded && next != .held
        case .held: next != .held
        case .waiting: [.notified, .digested, .grouped, .acknowledged, .resolved].contains(next)
        case .notified: [.escalated, .acknowledged, .resolved, .exhausted, .digested].contains(next)
        case .escalated: [.acknowledged, .resolved, .exhausted].contains(next)
        case .exhausted: [.acknowledged, .resolved].contains(next)
        case .acknowledged: next == .resolved
        case .resolved, .withdrawn, .grouped, .digested: false
        }
    }
}
