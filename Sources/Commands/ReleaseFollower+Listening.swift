import PostgresStore
import Prompts

extension ReleaseFollower {
    /// Handles announcements on the release channel.
    @Sendable func heard(_ news: PostgresListener.News) {
        switch news {
        case .connected:
            releasesChanged()
        case .announced(let payload):
            guard let news = ReleaseNews(payload: payload), news.environment == environment else { return }
            news.asksForReload ? filesChanged() : releasesChanged()
        }
    }
}
