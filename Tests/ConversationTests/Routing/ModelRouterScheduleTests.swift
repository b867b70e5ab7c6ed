import Conversation
import Domain
import Runtime
import TestSupport
import Testing

/// Invariants of a router whatever its models do, over thousands of schedules that a seed determines.
@Suite(.timeLimit(.minutes(1)))
struct ModelRouterScheduleTests {
    private static let budget = Duration.milliseconds(4700)
    private static let schedules = UInt64(PropertyCases.count(4_000, of: 20_000))

    @Test func `every schedule is decided in time, within its budgets, and without calls that are in vain`() {
        var budgets = CallBudgets()
        var hedges = 0
        var retries = 0
        for seed in 1...Self.schedules {
            let result = Self.run(seed, spending: &budgets)
            let took = result.decidedAt.since(ModelRouterWorld.start)
            #expect(result.outcome != nil && took <= Self.budget, "seed \(seed): \(took)")
            #expect(result.calls.count { $0.role == .first } == 1, "seed \(seed)")
            #expect(result.calls.count { $0.role == .hedge } <= 1, "seed \(seed)")
            #expect(result.calls.count { $0.role == .retry } <= 2, "seed \(seed)")
            let rungs = result.calls.filter { $0.role == .first || $0.role == .fallback }.map(\.modelIndex)
            #expect(Set(rungs).count == rungs.count, "seed \(seed): a model was asked twice as the next one")
            for call in result.calls {
                let left = Self.budget + ModelRouterWorld.start.since(call.askedAt)
                #expect(left >= .milliseconds(200), "seed \(seed): asked with \(left) left")
            }
            #expect(Self.isFollowedByRetry(result) == false, "seed \(seed): a refusal was tried again")
            #expect(result.calls.allSatisfy { $0.state == .over }, "seed \(seed): a call goes on")
            hedges += result.calls.count { $0.role == .hedge }
            retries += result.calls.count { $0.role == .retry }
        }
        #expect(hedges > Int(Self.schedules) / 200 && hedges <= Int(Double(Self.schedules) * 0.05) + 5)
        #expect(retries > Int(Self.schedules) / 200 && retries <= Int(Double(Self.schedules) * 0.1) + 5)
    }

    @Test func `a model that would have answered in time is never lost`() {
        var budgets = CallBudgets()
        for seed in 1...Self.schedules {
            let result = Self.run(seed, spending: &budgets)
            guard case .speaks(let after, let every, let words) = result.behaviours.first,
                after + every * words < Self.budget, every < .milliseconds(100)
            else { continue }
            switch result.outcome {
            case .words: continue
            // A hedge or the next model spoke first and broke: what it said is the reply.
            case .salvage(let call): #expect(call != 0, "seed \(seed)")
            default: #expect(result.calls.count > 1, "seed \(seed): \(result.journal)")
            }
        }
    }

    @Test(arguments: [1, 77, 4_096, 19_999] as [UInt64])
    func `a seed runs again exactly`(seed: UInt64) {
        var first = CallBudgets()
        var second = CallBudgets()
        #expect(Self.run(seed, spending: &first) == Self.run(seed, spending: &second))
        #expect(first == second)
    }

    /// True if a call that was refused for good was followed by one to the same model that was no hedge.
    private static func isFollowedByRetry(_ result: ModelRouterWorld.Result) -> Bool {
        guard result.behaviours.count > 1 else { return false }
        return zip(result.calls, result.behaviours).contains { call, behaviour in
            guard case .fails(_, .refused(status: 400, _, _)) = behaviour else { return false }
            let later = result.calls.filter { $0.id > call.id && $0.modelIndex == call.modelIndex && $0.role == .retry }
            let others = zip(result.calls, result.behaviours).filter {
                $0.0.modelIndex == call.modelIndex && $0.0.id != call.id
            }
            return !later.isEmpty && others.isEmpty
        }
    }

    private static func run(_ seed: UInt64, spending budgets: inout CallBudgets) -> ModelRouterWorld.Result {
        var generator = SeededGenerator(seed: seed)
        let models = Int.random(in: 1...3, using: &generator)
        let outlooks = (0..<models).map { _ in outlook(&generator) }
        let behaviours = (0..<12).map { _ in behaviour(&generator) }
        let jitter = Double.random(in: 0..<1, using: &generator)
        var world = ModelRouterWorld(budget: budget, outlooks: outlooks) { behaviours[$0.id] }
        return world.run(spending: &budgets, jitter: jitter)
    }

    private static func outlook(_ generator: inout SeededGenerator) -> ModelOutlook {
        let isKnown = Int.random(in: 0..<4, using: &generator) > 0
        let rests = Int.random(in: 0..<10, using: &generator) == 0
        return ModelOutlook(
            firstPieceWithin: isKnown ? .milliseconds(Int.random(in: 50...900, using: &generator)) : nil,
            rest: rests ? .milliseconds(Int.random(in: 100...6000, using: &generator)) : .zero
        )
    }

    private static func behaviour(_ generator: inout SeededGenerator) -> ModelRouterWorld.Behaviour {
        let after = Duration.milliseconds(Int.random(in: 1...1500, using: &generator))
        let every = Duration.milliseconds(Int.random(in: 1...90, using: &generator))
        let words = Int.random(in: 1...20, using: &generator)
        return switch Int.random(in: 0..<16, using: &generator) {
        case 0...6: .speaks(after: after, every: every, words: words)
        case 7: .speaks(after: after, every: .milliseconds(Int.random(in: 300...1500, using: &generator)), words: words)
        case 8: .stalls(after: after, every: every, words: words)
        case 9: .breaks(after: after, every: every, words: words)
        case 10: .nothingToSay(after: after)
        case 11, 12: .silent
        default: .fails(after: after, errors[Int.random(in: 0..<errors.count, using: &generator)])
        }
    }

    private static let errors: [ModelError] = [
        .unreachable(reason: ""), .refused(status: 400, retryAfter: nil, message: ""),
        .refused(status: 429, retryAfter: .milliseconds(700), message: ""),
        .refused(status: 503, retryAfter: .seconds(9), message: ""),
        .refused(status: 500, retryAfter: nil, message: ""), .malformed(reason: ""), .cutOff(pieces: 0), .empty,
        .overloaded(inFlight: 4), .resting(for: .milliseconds(300)),
    ]
}
