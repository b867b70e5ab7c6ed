import API
import PostgresStore

extension ServiceKeyCheck {
    /// Handles announcements on the key channel.
    @Sendable func heard(_ news: PostgresListener.News) {
        switch news {
        // A revocation may have been announced while the connection was down.
        case .connected: Task { await review() }
        case .announced(let payload): revoked(payload)
        }
    }
}
