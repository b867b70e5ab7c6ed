import Conversation
package import Domain
import Foundation
package import Runtime
import Synchronization

/// The record of releases in memory; held to the same contract as PostgreSQL's.
package final class InMemoryReleases: ReleaseRecords {
    private struct Stored {
        var releases: [String: [Release]] = [:]
        var archives: [(digest: String, bytes: [UInt8], at: Date)] = []
        var units: [Key: TrialUnit] = [:]
        var failure: RecordsError?
    }

    private struct Key: Hashable {
        let environment: String
        let release: Int
        let arm: TrialArm
        let patient: Int64
    }

    private let stored = Mutex(Stored())
    private let time: any TimeSource

    /// Makes an empty record.
    package init(time: any TimeSource = SystemTime()) {
        self.time = time
    }

    /// Error of every call; nil when none fails.
    package var failure: RecordsError? {
        get { stored.withLock { $0.failure } }
        set { stored.withLock { $0.failure = newValue } }
    }

    private func read<Value>(_ body: (inout Stored) -> Value) throws(RecordsError) -> Value {
        try stored.withLock { stored throws(RecordsError) in
            if let failure = stored.failure { throw failure }
            return body(&stored)
        }
    }

    package func releases(
        in environment: String,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Release] {
        try read { Array($0.releases[environment, default: []].reversed().prefix(limit)) }
    }

    package func append(_ release: Release, by deadline: Deadline) async throws(RecordsError) -> Bool {
        try read { stored in
            guard release.number == stored.releases[release.environment, default: []].count + 1 else { return false }
            stored.releases[release.environment, default: []].append(release)
            return true
        }
    }

    package func announceReload(in environment: String, by deadline: Deadline) async throws(RecordsError) {
        try read { _ in }
    }

    package func store(archive: [UInt8], digest: String, by deadline: Deadline) async throws(RecordsError) {
        let date = time.date
        try read { stored in
            guard !stored.archives.contains(where: { $0.digest == digest }) else { return }
            stored.archives.append((digest, archive, date))
        }
    }

    package func bundles(limit: Int, by deadline: Deadline) async throws(RecordsError) -> [StoredBundle] {
        try read { stored in
            stored.archives.reversed().prefix(limit).map { StoredBundle(digest: $0.digest, storedAt: $0.at) }
        }
    }

    package func archive(digest: String, by deadline: Deadline) async throws(RecordsError) -> [UInt8]? {
        try read { stored in stored.archives.first { $0.digest == digest }?.bytes }
    }

    package func digests(
        beginning start: String,
        limit: Int,
        by deadline: Deadline
    ) async throws(RecordsError) -> [String] {
        try read { stored in
            Array(stored.archives.reversed().map(\.digest).filter { $0.hasPrefix(start) }.prefix(limit))
        }
    }

    package func note(
        _ outcomes: [TrialOutcome],
        in environment: String,
        window: Int,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let date = time.date
        try read { stored in
            for outcome in outcomes {
                let place = outcome.place
                let key = Key(environment: environment, release: place.release, arm: place.arm, patient: place.patient)
                let unit =
                    stored.units[key] ?? TrialUnit(place, turns: 0, signals: [], openedAt: date, closedAt: nil)
                stored.units[key] = unit.adding(outcome.signals, at: date, window: window)
            }
        }
    }

    package func units(
        ofTrial release: Int,
        in environment: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> [TrialUnit] {
        try read { stored in
            stored.units.filter { $0.key.environment == environment && $0.key.release == release }.map(\.value)
                .sorted { ($0.closedAt ?? .distantFuture) < ($1.closedAt ?? .distantFuture) }
        }
    }
}
