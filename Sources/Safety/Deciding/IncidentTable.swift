import Conversation
import Foundation

/// Says how an incident changes by what a person says or by time; `docs/dialogue.md` shows it as one table.
///
/// Pure: the same incident, event and date give the same outcome. Nothing but evidence or a worse answer makes an incident
/// graver, and every incident ends.
enum IncidentTable {
    /// Something that happens to an open incident.
    enum Event: Sendable, Equatable {
        /// A message tells of the danger, at a level.
        case evidence(Level)
        /// The question was answered with the worse answer, which raises to a level.
        case worse(Level)
        /// The question was answered with the better answer, or the person says that all is well.
        case better
        /// The person says how the danger ended or who is there.
        case closing(Closing)
        /// A reply was given.
        case replied
        /// Time has passed.
        case time
        /// A person has closed the alert.
        case alertClosed
    }

    /// The time after the last evidence at which an incident ends.
    static let window: TimeInterval = 10 * 60
    /// The replies after the last evidence at which an incident ends, the one to the evidence not counted.
    static let mostReplies = 5
    /// The most checks about one incident.
    static let mostChecks = 3
    /// The replies between two checks.
    private static let checkEvery = 3

    /// The incident after an event; nil when it has ended.
    static func after(_ event: Event, _ incident: Incident, at date: Date) -> Incident? {
        var next = incident
        switch event {
        case .evidence(let level), .worse(let level):
            next.level = max(incident.level, level)
            next.evidenceAt = date
            (next.replies, next.checks, next.isInHand) = (0, 0, false)
        case .better, .closing(.recovered):
            if incident.category == .selfHarm { return incident }
            guard incident.level == .critical else { return nil }
            next.level = .high
            next.isInHand = true
        case .closing(.called):
            next.isInHand = true
        case .closing(.denied):
            return incident.category == .selfHarm ? nil : incident
        case .closing(.helpHere):
            guard incident.category == .selfHarm else { return nil }
            next.isInHand = true
        case .closing(.falseAlarm):
            return incident.category == .selfHarm ? incident : nil
        case .replied:
            next.replies += 1
            return next.replies > mostReplies ? nil : next
        case .time:
            return date.timeIntervalSince(incident.evidenceAt) > window ? nil : incident
        case .alertClosed:
            return nil
        }
        return next
    }

    /// Whether the next reply should hold a check: the first after the evidence's own, then every third.
    static func isCheckDue(_ incident: Incident) -> Bool {
        incident.level >= .medium && !incident.isInHand && incident.category != .scam && incident.checks < mostChecks
            && incident.replies >= 1 + checkEvery * incident.checks
    }
}
