package import Foundation

/// An operator who is signed in; the token is never stored, only its digest.
package struct OperatorSession: Sendable, Equatable {
    /// SHA-256 of the token, in lower-case hexadecimal.
    package let digest: String
    /// Who is signed in.
    package let `operator`: Operator
    /// When the session began.
    package let createdAt: Date
    /// When it was last used, to the minute.
    package let seenAt: Date

    /// Makes a session from the record.
    package init(digest: String, operator person: Operator, createdAt: Date, seenAt: Date) {
        self.digest = digest
        self.operator = person
        self.createdAt = createdAt
        self.seenAt = seenAt
    }
}
