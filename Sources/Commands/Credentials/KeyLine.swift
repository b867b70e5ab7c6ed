import Conversation
import Foundation
import Runtime

/// A service key as a line of output.
struct KeyLine: CredentialLine {
    let key: ServiceKey
    var secret: String?

    var id: String { key.id.description }

    var text: String {
        let state = key.revokedAt.map { "revoked \($0.formatted(.iso8601))" } ?? "good"
        return "\(key.id)  \(state)  \(key.scopes.sorted().joined(separator: ","))  \(key.name)"
    }

    var json: String {
        JSONValue.members([
            "id": .string(key.id.description),
            "name": .string(key.name),
            "created_at": .string(key.createdAt.formatted(.iso8601)),
            "revoked_at": .optional(key.revokedAt?.formatted(.iso8601)),
            "key": secret.map { .string($0) },
        ]).text
    }
}
