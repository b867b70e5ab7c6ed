import Conversation
import Domain
import Runtime
import TestSupport
import Testing

/// Invariants of a turn over thousands of turns whose every delay and failure a seed determines.
@Suite(.timeLimit(.minutes(5)))
struct TurnScheduleTests {
    private static let worlds = UInt64(PropertyCases.count(40, of: 80))
    private static let turns = 40

    @Test func `every turn is answered in time, within its shares, and nothing is lost`() async {
        var seen: [String: Int] = [:]
        var answered = 0
        for seed in 1...Self.worlds {
            let outcome = await TurnWorld(seed: seed, turns: Self.turns).run()
            #expect(outcome.turns.count == Self.turns && outcome.refusals == 0, "seed \(seed)")
            #expect(outcome.lost == 0, "seed \(seed)")
            for told in outcome.turns { Self.check(told, seed) }
            let hedges = outcome.turns.count { $0.spans.contains { $0.stage == "hedge" } }
            // A call that found its provider resting was none, so that the one after it costs nothing.
            let calls = outcome.turns.flatMap(\.spans)
            let retries = calls.count { $0.stage == "retry" } - calls.count { $0.note.contains("resting") }
            #expect(Double(hedges) <= Double(Self.turns) * 0.05 + 5 && Double(retries) <= Double(Self.turns) * 0.1 + 5)
            answered += outcome.turns.count
            seen["rest", default: 0] += outcome.rests
            for told in outcome.turns {
                seen[told.source.rawValue, default: 0] += 1
                for span in told.spans { seen[span.stage, default: 0] += 1 }
                for part in told.degraded { seen["without \(part.rawValue)", default: 0] += 1 }
            }
        }
        #expect(answered == Int(Self.worlds) * Self.turns)
        // Schedules in which nothing goes wrong would prove nothing.
        let wanted = [
            "hedge", "fallback", "retry", "rest", "model", "fallback_model", "salvaged", "memory", "fixed", "spool",
            "without memory", "without recall", "without record", "without model", "without commit",
        ]
        for what in wanted { #expect(seen[what, default: 0] >= 10, "\(what): \(seen[what, default: 0])") }
    }

    @Test(arguments: [1, 2, 3, 50, 79] as [UInt64])
    func `a seed runs again exactly`(seed: UInt64) async {
        let first = await TurnWorld(seed: seed, turns: Self.turns).run()
        let second = await TurnWorld(seed: seed, turns: Self.turns).run()
        #expect(first == second)
    }

    private static func check(_ told: TurnWorld.Told, _ seed: UInt64) {
        let name: Comment = "seed \(seed), \(told.said): \(told.spans)"
        #expect(told.took <= TurnWorld.budget, name)
        #expect((1...20).contains(WordCount.of(told.reply)), name)
        let isDanger = told.said.hasPrefix("I fell")
        #expect(told.alertSent == isDanger && (told.source == .fixed || !isDanger), name)
        if isDanger { #expect(!told.spans.contains { $0.stage == "generate" }, name) }
        for span in told.spans {
            #expect(span.start + span.duration <= TurnWorld.budget, name)
            if let share = shares[span.stage] { #expect(span.duration <= share, name) }
            let isCall = ["generate", "hedge", "fallback", "retry"].contains(span.stage)
            if isCall { #expect(span.start + span.duration <= TurnWorld.budget - .milliseconds(250), name) }
        }
        for (stage, part) in [("remember", Degradation.memory), ("record", .record), ("commit", .commit)] {
            let isBad = told.spans.contains { $0.stage == stage && $0.outcome == .degraded }
            let isSpooled = part == .commit && told.degraded.contains(.record)
            if !isSpooled { #expect(told.degraded.contains(part) == isBad, name) }
        }
    }

    private static let shares: [String: Duration] = [
        "remember": .milliseconds(500), "recall": .milliseconds(300), "record": .milliseconds(500),
        "commit": .milliseconds(500), "admit": .milliseconds(500),
    ]
}
