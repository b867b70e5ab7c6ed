import Conversation
import Foundation

/// Accumulates risk over turns: three sad remarks in an evening weigh more than one.
///
/// Each finding adds its level's weight to its category; what was there halves in an hour. Where the sum reaches the
/// threshold, a category that is low in this message counts as medium. Sad remarks that follow one another are one talk,
/// of a husband who died perhaps: the further ones weigh by the time between them.
struct RiskMemory: Sendable {
    private static let halfLife: TimeInterval = 3600
    private static let threshold = 1.0
    private static let forgotten = 0.05
    /// How far sad remarks lie apart that weigh in full.
    private static let talk: TimeInterval = 20 * 60

    /// The state's risk at a date, including a message's findings.
    static func updated(_ state: ConversationState, _ findings: [Finding], at date: Date) -> [String: Double] {
        let elapsed = max(0, date.timeIntervalSince(state.riskAt ?? date))
        let decay = pow(0.5, elapsed / halfLife)
        var risk = state.risk.mapValues { $0 * decay }
        var seen: Set<Conversation.Category> = []
        for finding in findings where seen.insert(finding.category).inserted {
            let isSameTalk = finding.category == .distress && finding.level == .low && risk["distress"] != nil
            let share = isSameTalk ? min(1, elapsed / talk) : 1
            risk[finding.category.rawValue, default: 0] += weight(finding.level) * share
        }
        return risk.filter { $0.value >= forgotten }
    }

    /// Returns true if a category's accumulated risk raises a low finding to medium.
    static func isHigh(_ risk: [String: Double], _ category: Conversation.Category) -> Bool {
        (risk[category.rawValue] ?? 0) >= threshold
    }

    private static func weight(_ level: Level) -> Double {
        switch level {
        case .none: 0
        case .low: 0.35
        case .medium: 0.6
        case .high: 0.8
        case .critical: 1
        }
    }
}
