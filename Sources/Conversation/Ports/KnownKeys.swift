package import Runtime

/// Keeps service keys across restarts, for times when the system of record is unavailable.
package protocol KnownKeys: Sendable {
    /// Keeps a key that the record has just confirmed; returns at once.
    func keep(_ key: ServiceKey, digest: String)

    /// Forgets a key that the record does not have; returns at once.
    func forget(digest: String)

    /// Returns a key and the time since the record confirmed it; nil when there is none, or only one that is too old.
    func known(digest: String, by deadline: Deadline) async -> (key: ServiceKey, age: Duration)?

    /// Returns the digests of all kept keys.
    func digests(by deadline: Deadline) async -> [String]
}
