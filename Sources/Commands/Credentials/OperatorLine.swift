import Conversation
import Foundation
import Runtime

/// An operator as a line of output.
struct OperatorLine: CredentialLine {
    let person: Operator
    var secret: String?

    var id: String { person.id.description }

    var text: String {
        let state = person.revokedAt.map { "revoked \($0.formatted(.iso8601))" } ?? "good"
        let seen = person.signedInAt.map { "signed in \($0.formatted(.iso8601))" } ?? "never signed in"
        return "\(person.id)  \(state)  \(person.role.rawValue)  \(seen)  \(person.name)"
    }

    var json: String {
        JSONValue.members([
            "id": .string(person.id.description),
            "name": .string(person.name),
            "role": .string(person.role.rawValue),
            "created_at": .string(person.createdAt.formatted(.iso8601)),
            "revoked_at": .optional(person.revokedAt?.formatted(.iso8601)),
            "signed_in_at": .optional(person.signedInAt?.formatted(.iso8601)),
            "key": secret.map { .string($0) },
        ]).text
    }
}
