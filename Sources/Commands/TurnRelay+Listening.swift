import Console
import Conversation
import PostgresStore

extension TurnRelay {
    /// Handles announcements on the turn channel; announcements lost while disconnected are not recovered.
    @Sendable func heard(_ news: PostgresListener.News) {
        guard case .announced(let payload) = news, let news = TurnNews(payload: payload) else { return }
        hear(news)
    }
}
