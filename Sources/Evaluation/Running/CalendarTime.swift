import Foundation
import Runtime
import Synchronization

/// A clock with the machine's monotonic time and a fixture's calendar date, for live models.
final class CalendarTime: TimeSource {
    private let started = Instant.now
    private let start: Mutex<Date>

    init(date: Date) {
        start = Mutex(date)
    }

    var now: Instant { .now }

    var date: Date { start.withLock { $0 }.addingTimeInterval(now.since(started).seconds) }

    func advanceCalendar(by duration: Duration) {
        start.withLock { $0 += duration.seconds }
    }

    func sleep(until instant: Instant) async throws {
        try await SystemTime().sleep(until: instant)
    }
}
