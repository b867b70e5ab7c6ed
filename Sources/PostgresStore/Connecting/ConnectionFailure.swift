/// Why there is no connection, or no longer.
package enum ConnectionFailure: Error, Equatable, CustomStringConvertible {
    /// No address is known for a host's name.
    case unresolved(host: String, reason: String)
    /// The server could not be reached, or refused the user.
    case refused(reason: String)
    /// The connection was not ready in time.
    case timedOut
    /// The database has not been migrated.
    case notMigrated
    /// The user may not act as the role of the service.
    case roleDenied(role: String, reason: String)
    /// The role would see rows of every tenant: it is a superuser or passes by row-level security.
    case roleSeesAll(role: String)
    /// The server did not answer a batch long after its deadline.
    case silent
    /// The connection was ready and broke.
    case broken(reason: String)
    /// The connection was closed by its owner.
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
