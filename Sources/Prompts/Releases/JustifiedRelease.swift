package import Conversation

/// A release that puts a bundle in force, with the run that justifies it and what became of the lock beside the prompts.
package struct JustifiedRelease: Sendable {
    /// The release.
    package let release: Release
    /// The run's name; nil for a bundle that once was in force without one.
    package let run: String?
    /// Why the lock does not say so; nil when it does, or the desk keeps none.
    ///
    /// The release is made all the same: the record is what replicas follow, and the lock tells people.
    package let lockFailure: PromptLockFile.Failure?
}
