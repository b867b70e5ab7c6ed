/// How soon a human must know.
package enum Level: String, Comparable, Sendable, Codable, CaseIterable {
    case none, low, medium, high, critical

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .low: 1
        case .medium: 2
        case .high: 3
        case .critical: 4
        }
    }

    /// How long until a human should have acknowledged; nil when nobody waits for it.
    package var acknowledgement: Duration? {
        switch self {
        case .critical: .seconds(60)
        case .high: .seconds(5 * 60)
        case .medium: .seconds(4 * 3600)
        case .low, .none: nil
        }
    }
}
