import Bench
import Runtime
import Safety

/// Measures the screens on the sentences of the exemplars.
enum ScreenBench {
    private static let rounds = 20

    /// One row with the time that the rules take per sentence.
    static func rows(promptsFolder: String) throws(CommandFailure) -> [BenchRow] {
        let screen: RuleScreen
        let texts: [String]
        do {
            screen = RuleScreen(try RuleBook(folder: promptsFolder + "/rules"))
            texts = try ExemplarReader(folder: promptsFolder + "/exemplars").exemplars.map(\.text)
        } catch {
            throw CommandFailure("The rules in \(promptsFolder) cannot be read: \(error).", .missing)
        }
        for text in texts { _ = screen.screen(text) }
        let began = Instant.now
        var outcome = LoadRun.Outcome()
        for _ in 0..<rounds {
            for text in texts {
                let start = Instant.now
                _ = screen.screen(text)
                outcome.answered.append(Instant.now.since(start))
            }
        }
        outcome.elapsed = Instant.now.since(began)
        return [BenchRow("screen", of: "hearth", outcome, cost: nil)]
    }
}
