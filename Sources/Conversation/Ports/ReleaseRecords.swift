package import Foundation
package import Runtime

/// Stores bundles, the releases of each environment, and the results of trials.
///
/// Contains no tenant's data: patients appear only as digests that their trial alone can make.
package protocol ReleaseRecords: Sendable {
    /// Returns the newest releases of an environment, the newest first.
    func releases(in environment: String, limit: Int, by deadline: Deadline) async throws(RecordsError) -> [Release]

    /// Adds a release and announces it to every replica; both of its bundles must be stored already.
    ///
    /// - Returns: True if it was added; false when another change took its number first.
    func append(_ release: Release, by deadline: Deadline) async throws(RecordsError) -> Bool

    /// Asks every replica of an environment to reload its files.
    func announceReload(in environment: String, by deadline: Deadline) async throws(RecordsError)

    /// Stores the files of a bundle under their digest; storing them again changes nothing.
    func store(archive: [UInt8], digest: String, by deadline: Deadline) async throws(RecordsError)

    /// Returns the files of a bundle; nil when the digest is unknown.
    func archive(digest: String, by deadline: Deadline) async throws(RecordsError) -> [UInt8]?

    /// Returns the digests of the stored bundles with a prefix, the newest first, at most `limit`.
    func digests(beginning: String, limit: Int, by deadline: Deadline) async throws(RecordsError) -> [String]

    /// Returns the latest stored bundles, the latest first.
    func bundles(limit: Int, by deadline: Deadline) async throws(RecordsError) -> [StoredBundle]

    /// Adds turns to the results of a trial, each to its patient's unit.
    ///
    /// - Parameter window: The number of turns that count for each patient.
    func note(
        _ outcomes: [TrialOutcome],
        in environment: String,
        window: Int,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// Returns the results of a trial, in the order in which its units were closed.
    func units(
        ofTrial release: Int,
        in environment: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> [TrialUnit]
}

/// A bundle in a list.
package struct StoredBundle: Sendable, Equatable {
    /// The digest, in 64 hexadecimal digits.
    package let digest: String
    /// The time when it was first stored.
    package let storedAt: Date

    package init(digest: String, storedAt: Date) {
        self.digest = digest
        self.storedAt = storedAt
    }
}
