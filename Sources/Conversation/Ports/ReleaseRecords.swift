package import Foundation
package import Runtime

/// The record of bundles, of what is in force in each environment, and of what trials have shown.
///
/// Holds nothing of any tenant: patients are in it as digests that only their trial can make.
package protocol ReleaseRecords: Sendable {
    /// The newest releases of an environment, the newest first.
    func releases(in environment: String, limit: Int, by deadline: Deadline) async throws(RecordsError) -> [Release]

    /// Adds a release and announces it to every replica; both bundles that it names are stored already.
    ///
    /// - Returns: Whether it was added; false when another change had its number first.
    func append(_ release: Release, by deadline: Deadline) async throws(RecordsError) -> Bool

    /// Asks every replica of an environment to read its files again.
    func announceReload(in environment: String, by deadline: Deadline) async throws(RecordsError)

    /// Stores the files of a bundle under their digest; storing them again changes nothing.
    func store(archive: [UInt8], digest: String, by deadline: Deadline) async throws(RecordsError)

    /// The files of a bundle; nil when the digest is not known.
    func archive(digest: String, by deadline: Deadline) async throws(RecordsError) -> [UInt8]?

    /// The digests of the stored bundles that begin so, the newest first, at most `limit`.
    func digests(beginning: String, limit: Int, by deadline: Deadline) async throws(RecordsError) -> [String]

    /// The bundles that were stored last, the latest first.
    func bundles(limit: Int, by deadline: Deadline) async throws(RecordsError) -> [StoredBundle]

    /// Adds turns to what a trial has shown, each to its patient's unit.
    ///
    /// - Parameter window: How many turns of a patient are looked at.
    func note(
        _ outcomes: [TrialOutcome],
        in environment: String,
        window: Int,
        by deadline: Deadline
    ) async throws(RecordsError)

    /// What a trial has shown, in the order in which its units were closed.
    func units(
        ofTrial release: Int,
        in environment: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> [TrialUnit]
}

/// A bundle as a list shows it.
package struct StoredBundle: Sendable, Equatable {
    /// Its digest, in 64 hexadecimal digits.
    package let digest: String
    /// When it was stored first.
    package let storedAt: Date

    /// Makes an entry from the record.
    package init(digest: String, storedAt: Date) {
        self.digest = digest
        self.storedAt = storedAt
    }
}
