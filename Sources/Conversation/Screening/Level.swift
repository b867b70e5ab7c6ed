/// The urgency with which a human must be notified.
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

    /// The time within which a human should acknowledge; nil for a level without such a time.
    package var acknowledgement: Duration? {
        switch self {
        case .critical: .seconds(60)
        case .high: .seconds(5 * 60)
        case .medium: .seconds(4 * 3600)
        case .low, .none: nil
        }
    }
}
