import Evaluation
import Foundation
import Runtime
import Synchronization

/// Progress of a run on standard error: a bar on a terminal, otherwise a line every five seconds.
final class RunProgress: Sendable {
    private static let barEvery = Duration.milliseconds(100)
    private static let lineEvery = Duration.seconds(5)
    private let began = Instant.now
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isQuiet: Bool
    private let last = Mutex<Instant>(.now)

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    /// Reports the number of finished samples.
    func done(_ done: Int, of total: Int) {
        guard !isQuiet else { return }
        let now = Instant.now
        let isDue = last.withLock { last in
            guard now.since(last) >= (isTerminal ? Self.barEvery : Self.lineEvery) else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        let left = now.since(began).seconds / Double(max(1, done)) * Double(total - done)
        let text = "\(done) of \(total), \(Int(left.rounded(.up))) s left"
        if isTerminal { write("\r\u{1B}[K\(bar(done, total)) \(text)") } else { write("evals: \(text)\n") }
    }

    /// Removes the bar.
    func end() {
        if isTerminal, !isQuiet { write("\r\u{1B}[K") }
    }

    private func bar(_ done: Int, _ total: Int) -> String {
        let full = total == 0 ? 30 : 30 * done / total
        return "[" + String(repeating: "#", count: full) + String(repeating: "·", count: 30 - full) + "]"
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
