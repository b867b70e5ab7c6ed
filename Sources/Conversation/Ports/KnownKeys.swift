package import Runtime

/// Keeps service keys beyond the end of the process, for when the system of record cannot be asked.
package protocol KnownKeys: Sendable {
    /// Keeps a key that the record has just confirmed; returns at once.
    func keep(_ key: ServiceKey, digest: String)

    /// Forgets a key that the record does not know, or no longer; returns at once.
    func forget(digest: String)

    /// A key and how long ago the record confirmed it; nil when none is kept, or too old a one.
    func known(digest: String, by deadline: Deadline) async -> (key: ServiceKey, age: Duration)?

    /// The digests of all keys that are kept.
    func digests(by deadline: Deadline) async -> [String]
}
