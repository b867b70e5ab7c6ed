import Conversation
import Runtime

/// What people or servers of a tenant show to be let in, of one kind.
protocol Credentials: Sendable {
    associatedtype Kind
    associatedtype Line: CredentialLine

    /// What one is called at the beginning of a sentence: "A key".
    static var noun: String { get }

    /// Makes one; its line holds the secret, which is shown this once.
    func create(_ name: String, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Line

    /// All of a tenant, good or not; no line holds a secret.
    func all(of tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> [Line]

    /// Revokes one; false when the tenant has no good one of this identity.
    func revoke(_ id: ID<Kind>, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Bool
}

/// A credential as a line of output.
protocol CredentialLine: Sendable {
    /// What it is called where it is listed and revoked.
    var id: String { get }
    /// What is shown once; nil when it is not known any more.
    var secret: String? { get }
    /// For a person.
    var text: String { get }
    /// For a program.
    var json: String { get }
}
