package import Conversation

extension Badge {
    /// Creates the badge of a level.
    package init(_ level: Level) {
        let tone: Tone =
            switch level {
            case .none: .plain
            case .low: .notice
            case .medium, .high: .warning
            case .critical: .danger
            }
        self.init(level.rawValue, tone)
    }
}
