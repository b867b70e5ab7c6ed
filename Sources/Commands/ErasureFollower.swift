import Domain
import Foundation
import PostgresStore
import Runtime
import Synchronization

/// Removes the copies of erased patients from this replica.
///
/// An announcement comes at once, but may be lost, and a turn in progress may leave a copy after it. So the marks of the
/// last ten minutes are followed again every minute, and all of them at the start.
///
/// What retention deletes is announced too. After a gap in the announcements, the memories of every tenant that lost messages
/// since the last one are read anew.
final class ErasureFollower: Service {
    private static let interval = Duration.seconds(60)
    private static let overlap: TimeInterval = 600
    private static let eraseTime = Duration.seconds(30)
    private static let readTime = Duration.seconds(10)
    private static let page = 500

    let name = "erasures"
    private let records: any PatientErasure
    private let retention: (any RetentionQueue)?
    private let copies: [any PatientCopies]
    private let memories: [any MemoryCopies]
    private let closed: @Sendable (PatientID, TenantID) -> Void
    private let log: Log
    private let time: any TimeSource
    private let since = Mutex(Date(timeIntervalSince1970: 0))
    private let removals = Mutex(Removals())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// What is known of the announcements of retention.
    private struct Removals {
        /// The time since which every one was heard; 1970 before the first connection.
        var heardSince = Date(timeIntervalSince1970: 0)
        /// The times since which some may have been missed; nil when all were followed.
        var missedSince: Date? = Date(timeIntervalSince1970: 0)
    }

    /// Creates it without starting it.
    ///
    /// - Parameters:
    ///   - memories: The copies that are read anew when some of what was said is kept no longer.
    ///   - closed: Receives the patients who are not served any more.
    init(
        _ records: any PatientErasure,
        retention: (any RetentionQueue)? = nil,
        copies: [any PatientCopies],
        memories: [any MemoryCopies] = [],
        log: Log,
        time: any TimeSource = SystemTime(),
        closed: @escaping @Sendable (PatientID, TenantID) -> Void
    ) {
        self.records = records
        self.retention = retention
        self.copies = copies
        self.memories = memories
        self.closed = closed
        self.log = log
        self.time = time
    }

    func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    func drain(by deadline: Deadline) async {
        let running = task.withLock { $0 }
        running?.cancel()
        await running?.value
    }

    private func run() async {
        while !Task.isCancelled {
            await follow()
            await followRemovals()
            do { try await time.sleep(until: time.now + Self.interval) } catch { return }
        }
    }

    /// Removes the copies of everybody who was erased since the last time, and a little before.
    func follow() async {
        let began = time.date
        var last: ErasureMark?
        var isWhole = true
        repeat {
            let marks: [ErasureMark]
            do throws(RecordsError) {
                marks = try await records.erasures(
                    since: since.withLock { $0 },
                    after: last,
                    limit: Self.page,
                    by: Deadline(after: Self.readTime)
                )
            } catch {
                return log.debug("erasures_not_read", "reason" ~ "\(error)")
            }
            for mark in marks {
                isWhole = await erase(mark.patient, of: mark.tenant, by: Deadline(after: Self.eraseTime)) && isWhole
            }
            last = marks.count < Self.page ? nil : marks.last
        } while last != nil && !Task.isCancelled
        if isWhole, !Task.isCancelled { since.withLock { $0 = began.addingTimeInterval(-Self.overlap) } }
    }

    /// Notes that announcements are heard again, after some may have been missed.
    private func noteConnection() {
        let now = time.date.addingTimeInterval(-Self.overlap)
        removals.withLock { removals in
            removals.missedSince = min(removals.missedSince ?? removals.heardSince, removals.heardSince)
            removals.heardSince = now
        }
    }

    /// Removes the memories of every tenant that lost messages while announcements may have been missed.
    func followRemovals() async {
        guard let retention, let missed = removals.withLock({ $0.missedSince }) else { return }
        let tenants: [TenantID]
        do throws(RecordsError) {
            tenants = try await retention.removals(since: missed, by: Deadline(after: Self.readTime))
        } catch {
            return log.debug("removals_not_read", "reason" ~ "\(error)")
        }
        var isWhole = true
        for tenant in tenants {
            for copies in memories {
                do {
                    try await copies.eraseAll(of: tenant, by: Deadline(after: Self.eraseTime))
                } catch {
                    isWhole = false
                    let (place, id) = ("place" ~ copies.place, "tenant" ~ tenant.description)
                    log.error("copies_not_erased", place, id, "reason" ~ "\(error)")
                }
            }
        }
        guard isWhole else { return }
        removals.withLock { if $0.missedSince == missed { $0.missedSince = nil } }
    }

    /// Removes every copy of a patient's data here; returns whether none is left.
    func erase(_ patient: PatientID, of tenant: TenantID, by deadline: Deadline) async -> Bool {
        await erase(patient, of: tenant, from: copies, by: deadline)
    }

    @discardableResult
    private func erase(
        _ patient: PatientID,
        of tenant: TenantID,
        from copies: [any PatientCopies],
        by deadline: Deadline
    ) async -> Bool {
        var isGone = true
        for copies in copies {
            do {
                try await copies.erase(patient, of: tenant, by: deadline)
            } catch {
                isGone = false
                log.error(
                    "copies_not_erased",
                    "place" ~ copies.place,
                    "patient_id" ~ patient.description,
                    "reason" ~ "\(error)"
                )
            }
        }
        return isGone
    }

    /// Handles announcements about patients.
    @Sendable func heard(_ news: PostgresListener.ListenerEvent) {
        switch news {
        case .connected:
            noteConnection()
            Task {
                await follow()
                await followRemovals()
            }
        case .announced(let payload):
            guard let event = PatientEvent(payload: payload) else { return }
            switch event.kind {
            case .closed: closed(event.patient, event.tenant)
            case .aged:
                Task {
                    await erase(event.patient, of: event.tenant, from: memories, by: Deadline(after: Self.eraseTime))
                }
            case .erased:
                Task { await erase(event.patient, of: event.tenant, by: Deadline(after: Self.eraseTime)) }
            }
        }
    }
}
