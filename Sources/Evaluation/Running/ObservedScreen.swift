import Conversation
import Synchronization

/// A screen whose findings are recorded, including dismissed ones.
final class ObservedScreen: MessageScreen {
    private let screen: any MessageScreen
    private let kept = Mutex<[Finding]>([])

    init(_ screen: any MessageScreen) {
        self.screen = screen
    }

    func screen(_ text: String) -> Screening { keep(screen.screen(text)) }

    func screen(vector: [Float], of text: String) -> Screening { keep(screen.screen(vector: vector, of: text)) }

    /// Returns and clears the recorded findings.
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
