package import Foundation

/// A signed-in operator; only a digest of the token is stored.
package struct OperatorSession: Sendable, Equatable {
    /// SHA-256 of the token, in lower-case hexadecimal.
    package let digest: String
    /// The operator.
    package let `operator`: Operator
    /// The start of the session.
    package let createdAt: Date
    /// The time of the last use, to the minute.
    package let seenAt: Date

    package init(digest: String, operator person: Operator, createdAt: Date, seenAt: Date) {
        self.digest = digest
        self.operator = person
        self.createdAt = createdAt
        self.seenAt = seenAt
    }
}
