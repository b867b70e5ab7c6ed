import API
import PostgresStore

extension ServiceKeyCheck {
    /// Takes note of what was announced on the channel of keys.
    @Sendable func heard(_ news: PostgresListener.News) {
        switch news {
        // A revocation may have been announced to nobody meanwhile.
        case .connected: Task { await review() }
        case .announced(let payload): revoked(payload)
        }
    }
}
