package import Foundation

/// A person who works with the console on a tenant's behalf; the key is never stored, only its slow hash.
package struct Operator: Sendable, Equatable {
    /// What an operator may do; each role may do what those before it may.
    package enum Role: String, Sendable, CaseIterable, Comparable {
        /// Looks on; patients' words are hidden.
        case viewer
        /// Reads patients' words and answers alerts.
        case `operator`
        /// Changes prompts and what is in force.
        case admin

        package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .viewer: 0
            case .operator: 1
            case .admin: 2
            }
        }
    }

    /// Which operator.
    package let id: OperatorID
    /// The tenant whose patients are seen.
    package let tenant: TenantID
    /// What colleagues call this person.
    package let name: String
    /// What this person may do.
    package let role: Role
    /// When the key was made.
    package let createdAt: Date
    /// When the key was revoked; nil while it is good.
    package let revokedAt: Date?
    /// When this person last signed in; nil when never.
    package let signedInAt: Date?

    /// Makes an operator from the record.
    package init(
        id: OperatorID = OperatorID(),
        tenant: TenantID,
        name: String,
        role: Role,
        createdAt: Date,
        revokedAt: Date? = nil,
        signedInAt: Date? = nil
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.signedInAt = signedInAt
    }
}

/// Which operator.
package typealias OperatorID = ID<Operator>
