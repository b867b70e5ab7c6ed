import Runtime
import Synchronization

/// Logs once when parts of the screen fail and once when all work again, instead of at every turn.
final class ScreenNotices: Sendable {
    private let log: Log
    private let known = Mutex<Set<String>>([])

    init(_ log: Log) {
        self.log = log
    }

    /// Notes the failures of one turn.
    ///
    /// An effect of the turn's own text, such as its length, is no failure of a part.
    func note(_ failures: [String]) {
        let parts = Set(failures.filter { !$0.contains("text cut") })
        let isNews = known.withLock { known in
            guard known != parts else { return false }
            known = parts
            return true
        }
        guard isNews else { return }
        if parts.isEmpty {
            log.notice("screen_whole")
        } else {
            log.error("screen_part_down", "parts" ~ parts.sorted().joined(separator: "; "))
        }
    }
}
