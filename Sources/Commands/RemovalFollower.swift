import Domain
import PostgresStore
import Runtime
import Synchronization

/// Removes this replica's copies of what tenants keep no longer.
///
/// Each removal is announced once, with the removal before it. A tenant whose last removal is not the one that was followed, as
/// after a gap in the announcements or a start, loses all copies of memories here. Those are read anew when they are needed.
/// The last step that was followed is stored beside the copies, so that no start repeats it.
final class RemovalFollower: Sendable {
    private static let eraseTime = Duration.seconds(30)
    private static let readTime = Duration.seconds(10)
    /// Largest number of announcements that wait; what comes beyond is found by the comparison.
    private static let waitingLimit = 100

    private let retention: any RetentionQueue
    private let memories: [any MemoryCopies]
    private let marks: any RemovalMarks
    private let log: Log
    private let state = Mutex(State())

    private struct State {
        /// The last removals that were followed; nil until they are read.
        var followed: [TenantID: RemovalTime]?
        /// True if some may have been missed.
        var isComparisonDue = true
        /// The last work that was begun; works follow one another.
        var last: Task<Void, Never>?
        var waiting = 0
    }

    /// Creates it; the first comparison is due.
    ///
    /// - Parameter memories: The copies that are read anew when some of what was said is kept no longer.
    init(_ retention: any RetentionQueue, memories: [any MemoryCopies], marks: any RemovalMarks, log: Log) {
        self.retention = retention
        self.memories = memories
        self.marks = marks
        self.log = log
    }

    /// Notes that announcements may have been missed.
    func missed() {
        state.withLock { $0.isComparisonDue = true }
    }

    /// Follows an announced removal; returns at once.
    func heard(_ removal: MemoryRemoval) {
        guard !state.withLock({ $0.waiting >= Self.waitingLimit }) else { return missed() }
        inOrder { await $0.follow(removal) }
    }

    /// Removes what may have been missed, if anything; ends when that is done.
    func compare() async {
        await inOrder { await $0.compareIfDue() }.value
    }

    /// Removes the copies of one patient's words, as the last release announces it; returns at once.
    func heard(_ patient: PatientID, of tenant: TenantID) {
        inOrder { _ = await $0.erase { try await $0.erase([patient], of: tenant, by: $1) } }
    }

    @discardableResult
    private func inOrder(_ work: @escaping @Sendable (RemovalFollower) async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            state.waiting += 1
            let task = Task { [last = state.last] in
                await last?.value
                await work(self)
                self.state.withLock { $0.waiting -= 1 }
            }
            state.last = task
            return task
        }
    }

    private func follow(_ removal: MemoryRemoval) async {
        let known = state.withLock { $0.followed?[removal.tenant] }
        guard known != removal.at else { return }
        let isGone = await erase { try await $0.erase(Set(removal.patients), of: removal.tenant, by: $1) }
        guard isGone, known == removal.previous else { return missed() }
        await note([removal.tenant: removal.at])
    }

    private func compareIfDue() async {
        guard isDueOnce() else { return }
        do {
            let deadline = Deadline(after: Self.readTime)
            if state.withLock({ $0.followed == nil }) {
                let stored = try await marks.removalMarks(by: deadline)
                state.withLock { $0.followed = stored }
            }
            let known = state.withLock { $0.followed ?? [:] }
            let behind = try await retention.lastRemovals(by: deadline).filter { known[$0.key] != $0.value }
            guard !behind.isEmpty else { return }
            let isGone = await erase { try await $0.eraseAll(of: Set(behind.keys), by: $1) }
            guard isGone else { return missed() }
            await note(behind)
        } catch {
            missed()
            log.debug("removals_not_read", "reason" ~ "\(error)")
        }
    }

    private func isDueOnce() -> Bool {
        state.withLock { state in
            defer { state.isComparisonDue = false }
            return state.isComparisonDue
        }
    }

    /// Removes from every place; returns whether nothing is left.
    private func erase(_ work: (any MemoryCopies, Deadline) async throws -> Void) async -> Bool {
        var isGone = true
        for copies in memories {
            do {
                try await work(copies, Deadline(after: Self.eraseTime))
            } catch {
                isGone = false
                log.error("copies_not_erased", "place" ~ copies.place, "reason" ~ "\(error)")
            }
        }
        return isGone
    }

    private func note(_ followed: [TenantID: RemovalTime]) async {
        state.withLock { $0.followed = ($0.followed ?? [:]).merging(followed) { _, new in new } }
        do {
            try await marks.note(followed, by: Deadline(after: Self.readTime))
        } catch {
            log.debug("removals_not_noted", "reason" ~ "\(error)")
        }
    }
}
