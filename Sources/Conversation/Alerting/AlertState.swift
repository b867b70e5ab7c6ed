/// Where an alert stands between being decided and a person having taken it on.
///
/// Every change is stored with its instant and its actor, so that "who knew what when" can be answered.
package enum AlertState: String, Sendable, Codable, CaseIterable {
    /// Durable; nobody has been asked yet.
    case recorded
    /// Waits for the patient to say that all is well.
    case held
    /// Waits for the day's digest.
    case waiting
    /// Contacts have been sent messages.
    case notified
    /// The operators have been sent messages, or find it in their queue.
    case escalated
    /// A person has taken it on.
    case acknowledged
    /// A person has said that it is over.
    case resolved
    /// The patient was well before anybody was told.
    case withdrawn
    /// An earlier open alert about the same thing stands for it.
    case grouped
    /// It was told in a digest.
    case digested
    /// Everybody was told as often as the clock asks, and nobody answered; it stays in the operators' queue.
    case exhausted

    /// Whether the clock still runs for it.
    package var isOpen: Bool {
        switch self {
        case .recorded, .held, .waiting, .notified, .escalated: true
        case .acknowledged, .resolved, .withdrawn, .grouped, .digested, .exhausted: false
        }
    }

    /// Whether the operators find it in their queue.
    package var isOperators: Bool { self == .escalated || self == .exhausted }

    /// Whether it may become another state; a state never follows itself.
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
