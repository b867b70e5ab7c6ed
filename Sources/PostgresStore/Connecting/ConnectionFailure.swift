/// The reason for which a connection failed or ended.
package enum ConnectionFailure: Error, Equatable, CustomStringConvertible {
    /// A host name has no known address.
    case unresolved(host: String, reason: String)
    /// The server was unreachable or rejected the user.
    case refused(reason: String)
    /// The connection was not ready in time.
    case timedOut
    /// The database has not been migrated.
    case notMigrated
    /// The user may not take the service's role.
    case roleDenied(role: String, reason: String)
    /// The role is a superuser or bypasses row-level security, so it would see every tenant's rows.
    case roleSeesAll(role: String)
    /// The server did not answer a batch long after its deadline.
    case silent
    /// A ready connection broke.
    case broken(reason: String)
    /// The owner closed the connection.
    case closed

    package var description: String {
        switch self {
        case .unresolved(let host, let reason): "no address is known for \(host): \(reason)"
        case .refused(let reason): reason
        case .timedOut: "the server did not answer in time"
        case .notMigrated: "the database has no tables of ours; run: hearth migrate"
        case .roleDenied(let role, let reason): "the user may not act as \(role) (\(reason)); run: hearth migrate"
        case .roleSeesAll(let role): "\(role) is a superuser or has BYPASSRLS and would see every tenant"
        case .silent: "the server stopped answering"
        case .broken(let reason): "the connection broke: \(reason)"
        case .closed: "the connection was closed"
        }
    }
}
