import Conversation
import Synchronization

/// A screen whose findings are kept, those that were let go too.
final class ObservedScreen: MessageScreen {
    private let screen: any MessageScreen
    private let kept = Mutex<[Finding]>([])

    init(_ screen: any MessageScreen) {
        self.screen = screen
    }

    func screen(_ text: String) -> Screening { keep(screen.screen(text)) }

    func screen(vector: [Float], of text: String) -> Screening { keep(screen.screen(vector: vector, of: text)) }

    /// The findings since they were last taken.
    func take() -> [Finding] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }

    private func keep(_ screening: Screening) -> Screening {
        kept.withLock { $0 += screening.findings }
        return screening
    }
}
