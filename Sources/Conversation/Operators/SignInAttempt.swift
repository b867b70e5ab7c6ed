package import Foundation

/// The stored data for a sign-in; the attempt is counted before the key is checked.
package struct SignInAttempt: Sendable, Equatable {
    /// The operator who signs in.
    package let `operator`: Operator
    /// The slow hash of the key.
    package let keyHash: String
    /// The time until which attempts are refused; nil when this one may be checked.
    package let refusedUntil: Date?

    package init(operator person: Operator, keyHash: String, refusedUntil: Date?) {
        self.operator = person
        self.keyHash = keyHash
        self.refusedUntil = refusedUntil
    }
}
