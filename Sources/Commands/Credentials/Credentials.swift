import Conversation
import Runtime

/// A kind of credentials of a tenant: service keys or operators' keys.
protocol Credentials: Sendable {
    associatedtype Kind
    associatedtype Line: CredentialLine

    /// Name of one credential at the start of a sentence: "A key".
    static var noun: String { get }

    /// Creates a credential. Only this line ever contains the secret.
    func create(_ name: String, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Line

    /// All credentials of a tenant, revoked ones too, without their secrets.
    func all(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [Line]

    /// Revokes a credential; false if the tenant has no valid one with this identifier.
    func revoke(_ id: ID<Kind>, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Bool
}

/// A credential as a line of output.
protocol CredentialLine: Sendable {
    /// Identifier for listing and revoking.
    var id: String { get }
    /// The secret, which is shown once; nil afterwards.
    var secret: String? { get }
    /// The line for a person.
    var text: String { get }
    /// The line as JSON.
    var json: String { get }
}
