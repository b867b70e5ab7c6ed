package import Conversation

/// A release with the run that justifies it and the result of updating the lock file.
package struct JustifiedRelease: Sendable {
    /// The release.
    package let release: Release
    /// The run's name; nil for a bundle that was active before without one.
    package let run: String?
    /// The reason why the lock was not updated; nil on success or without a lock.
    ///
    /// The release is made anyway: replicas follow the database, and the lock informs people.
    package let lockFailure: PromptLockFile.Failure?
}
