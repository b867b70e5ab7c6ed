import PostgresStore
import Prompts

extension ReleaseFollower {
    /// Takes note of what was announced on the channel of releases.
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
