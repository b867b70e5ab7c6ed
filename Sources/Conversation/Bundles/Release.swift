package import Foundation

/// A change of what is in force in an environment: who made it, why, from what, to what and on which evidence.
///
/// Releases are only ever added. The newest of an environment says what is in force there, all of them are its audit
/// trail.
package struct Release: Sendable, Equatable {
    /// What was done.
    package enum Action: String, Sendable, CaseIterable {
        /// Another bundle was put in force.
        case promote
        /// A bundle began to answer some of the patients.
        case canary
        /// A bundle began to answer unheard.
        case shadow
        /// A trial was ended.
        case stop
        /// An earlier bundle was put in force again, or a trial ended for what it showed.
        case rollback
    }

    /// Another bundle that is tried beside the one in force.
    package struct Trial: Sendable, Equatable {
        /// How.
        package enum Kind: String, Sendable { case canary, shadow }

        /// How.
        package let kind: Kind
        /// The candidate's digest.
        package let bundle: String
        /// The share of patients, over 0 and at most 0.5.
        package let share: Double

        /// Makes a trial.
        package init(_ kind: Kind, of bundle: String, share: Double) {
            self.kind = kind
            self.bundle = bundle
            self.share = share
        }
    }

    /// Where: "production".
    package let environment: String
    /// Which change of the environment, from 1 without gaps.
    package let number: Int
    /// When.
    package let at: Date
    /// What was done.
    package let action: Action
    /// The digest of the bundle in force from then on, in 64 hexadecimal digits.
    package let bundle: String
    /// The digest of the bundle that was in force before; nil for the first release.
    package let previous: String?
    /// What is tried from then on.
    package let trial: Trial?
    /// Who did it.
    package let actor: String
    /// Why.
    package let reason: String
    /// The eval run that justifies it; nil when none is asked for.
    package let run: String?

    /// Makes a release.
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
