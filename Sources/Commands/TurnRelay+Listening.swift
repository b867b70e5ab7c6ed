import Console
import Conversation
import PostgresStore

extension TurnRelay {
    /// Takes note of what was announced on the channel of turns; what was missed is not looked for.
    @Sendable func heard(_ news: PostgresListener.News) {
        guard case .announced(let payload) = news, let news = TurnNews(payload: payload) else { return }
        hear(news)
    }
}
