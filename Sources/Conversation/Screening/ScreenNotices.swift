import Runtime
import Synchronization

/// Tells the operator when parts of the screen stop to work and when all work again, once each time and not for every turn.
final class ScreenNotices: Sendable {
    private let log: Log
    private let known = Mutex<Set<String>>([])

    init(_ log: Log) {
        self.log = log
    }

    /// Takes note of what did not work in one turn.
    ///
    /// What a turn's own text brought about, such as its length, is that turn's matter and no part's failure.
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
