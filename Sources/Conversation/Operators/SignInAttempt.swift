package import Foundation

/// What the record says of an operator who tries to sign in; the attempt is counted before the key is looked at.
package struct SignInAttempt: Sendable, Equatable {
    /// Who tries.
    package let `operator`: Operator
    /// The slow hash of the key.
    package let keyHash: String
    /// When attempts are looked at again; nil when this one may be.
    package let refusedUntil: Date?

    /// Makes an attempt from the record.
    package init(operator person: Operator, keyHash: String, refusedUntil: Date?) {
        self.operator = person
        self.keyHash = keyHash
        self.refusedUntil = refusedUntil
    }
}
