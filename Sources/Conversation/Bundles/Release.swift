package import Foundation

/// A change of the active bundle in an environment: who made it, why, from what, to what and on which evidence.
///
/// Releases are only ever added. The newest release of an environment defines its active bundle; all releases form
/// its audit trail.
package struct Release: Sendable, Equatable {
    /// The kind of change.
    package enum Action: String, Sendable, CaseIterable {
        /// Another bundle became active.
        case promote
        /// A bundle began to answer some of the patients.
        case canary
        /// A bundle began to answer in shadow, without being sent to patients.
        case shadow
        /// A trial was stopped.
        case stop
        /// An earlier bundle became active again, or a trial was ended because of its results.
        case rollback
    }

    /// A candidate bundle that is tried beside the active one.
    package struct Trial: Sendable, Equatable {
        /// The kind of trial.
        package enum Kind: String, Sendable { case canary, shadow }

        /// The kind of trial.
        package let kind: Kind
        /// The candidate's digest.
        package let bundle: String
        /// The share of patients, over 0 and at most 0.5.
        package let share: Double

        package init(_ kind: Kind, of bundle: String, share: Double) {
            self.kind = kind
            self.bundle = bundle
            self.share = share
        }
    }

    /// The environment, such as "production".
    package let environment: String
    /// The number of the change in its environment, from 1 without gaps.
    package let number: Int
    /// The time of the release.
    package let at: Date
    /// The kind of change.
    package let action: Action
    /// The digest of the active bundle from then on, in 64 hexadecimal digits.
    package let bundle: String
    /// The digest of the bundle that was active before; nil for the first release.
    package let previous: String?
    /// The trial from then on; nil without one.
    package let trial: Trial?
    /// The person or part that made the release.
    package let actor: String
    /// The reason.
    package let reason: String
    /// The eval run that justifies the release; nil when none is required.
    package let run: String?

    package init(
        environment: String,
        number: Int,
        at date: Date,
        _ action: Action,
        bundle: String,
        previous: String?,
        trial: Trial? = nil,
        actor: String,
        reason: String,
        run: String? = nil
    ) {
        self.environment = environment
        self.number = number
        at = date
        self.action = action
        self.bundle = bundle
        self.previous = previous
        self.trial = trial
        self.actor = actor
        self.reason = reason
        self.run = run
    }
}
