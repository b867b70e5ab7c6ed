import Domain
import PostgresStore
import Runtime
import Synchronization

/// Removes this replica's copies of what tenants keep no longer.
///
/// Each removal is announced once, with the removal before it. A tenant's last removal may not be the one that was
/// followed, as after a start or a gap in the announcements. Then all copies of its memories
/// here are removed, and read anew when they are needed.
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
        /// Tenants of whom the last release removed something that could not wait.
        var overlooked: Set<TenantID> = []
    }

    private let work = OrderedWork(capacity: waitingLimit)

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
        guard work.add({ [self] in await follow(removal) }) else { return missed() }
    }

    /// Removes what may have been missed, if anything; ends when that is done.
    func compare() async {
        await work.perform { [self] in await compareIfDue() }
    }

    /// Removes the copies of one patient's words, as the last release announces it; returns at once.
    func heard(_ patient: PatientID, of tenant: TenantID) {
        let isTaken = work.add { [self] in
            let isGone = await erase { try await $0.erase([patient], of: tenant, by: $1) }
            if !isGone { overlook([tenant]) }
        }
        if !isTaken { overlook([tenant]) }
    }

    /// Refuses new work, and ends the present one by the deadline.
    func drain(by deadline: Deadline) async { await work.drain(by: deadline) }

    /// Notes that the next comparison removes the copies of some tenants' words, whatever it finds.
    private func overlook(_ tenants: Set<TenantID>) {
        state.withLock { state in
            state.overlooked.formUnion(tenants)
            state.isComparisonDue = true
        }
    }

    private func follow(_ removal: MemoryRemoval) async {
        let followed = try? await stored(by: Deadline(after: Self.readTime))
        let known = followed?[removal.tenant]
        guard known != removal.at else { return }
        let isGone = await erase { try await $0.erase(Set(removal.patients), of: removal.tenant, by: $1) }
        guard isGone, followed != nil, known == removal.previous else { return missed() }
        await note([removal.tenant: removal.at])
    }

    /// The last removals that were followed, read when they are first needed.
    private func stored(by deadline: Deadline) async throws -> [TenantID: RemovalTime] {
        if let followed = state.withLock({ $0.followed }) { return followed }
        let stored = try await marks.removalMarks(by: deadline)
        state.withLock { $0.followed = stored }
        return stored
    }

    private func compareIfDue() async {
        guard let overlooked = takeDue() else { return }
        do {
            let deadline = Deadline(after: Self.readTime)
            let known = try await stored(by: deadline)
            let behind = try await retention.lastRemovals(by: deadline).filter { known[$0.key] != $0.value }
            let tenants = overlooked.union(behind.keys)
            guard !tenants.isEmpty else { return }
            let isGone = await erase { try await $0.eraseAll(of: tenants, by: $1) }
            guard isGone else { return overlook(overlooked) }
            await note(behind)
        } catch {
            overlook(overlooked)
            log.debug("removals_not_read", "reason" ~ "\(error)")
        }
    }

    /// Begins a comparison that is due; returns the tenants who are concerned in any case, nil when none is due.
    private func takeDue() -> Set<TenantID>? {
        state.withLock { state in
            defer { (state.isComparisonDue, state.overlooked) = (false, []) }
            return state.isComparisonDue ? state.overlooked : nil
        }
    }

    /// Removes from every place; returns true if nothing is left.
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
