import Conversation
import Domain
import Runtime
import TestSupport
import Testing

/// Order and times of model calls, in single cases whose times are exact.
@Suite struct ModelRouterTests {
    private typealias Behaviour = ModelRouterWorld.Behaviour

    private static let quick = Behaviour.speaks(after: .milliseconds(300), every: .milliseconds(20), words: 12)
    private static let known = ModelOutlook(firstPieceWithin: .milliseconds(400))

    /// One turn, whose calls do what the list says, in the order in which they are made.
    private static func run(
        _ behaviours: [Behaviour],
        outlooks: [ModelOutlook] = [ModelOutlook()],
        budget: Duration = .milliseconds(4700),
        budgets: CallBudgets = CallBudgets()
    ) -> ModelRouterWorld.Result {
        var budgets = budgets
        var world = ModelRouterWorld(budget: budget, outlooks: outlooks) { call in
            call.id < behaviours.count ? behaviours[call.id] : .silent
        }
        return world.run(spending: &budgets)
    }

    private static func milliseconds(_ result: ModelRouterWorld.Result) -> Double {
        result.decidedAt.since(ModelRouterWorld.start).milliseconds
    }

    @Test func `a model that speaks in time is asked once`() {
        let result = Self.run([Self.quick], outlooks: [Self.known, ModelOutlook()])
        #expect(result.outcome == .words(call: 0))
        #expect(result.calls.map(\.role) == [.first])
        #expect(Self.milliseconds(result) == 540)
    }

    @Test func `a second call is made when the first is slower than nine of ten, and the loser is stopped`() {
        let result = Self.run([.silent, Self.quick], outlooks: [Self.known])
        #expect(result.outcome == .words(call: 1))
        #expect(result.calls.map(\.role) == [.first, .hedge])
        #expect(result.calls[1].askedAt.since(ModelRouterWorld.start) == .milliseconds(400))
        #expect(result.journal.contains { $0.contains("stop(call: 0") && $0.contains("beaten") })
        #expect(Self.milliseconds(result) == 940)
    }

    @Test func `the first call wins when it speaks before its hedge`() {
        let late = Behaviour.speaks(after: .milliseconds(600), every: .milliseconds(20), words: 12)
        let result = Self.run([late, Self.quick], outlooks: [Self.known])
        #expect(result.outcome == .words(call: 0))
        #expect(result.calls[1].state == .over)
    }

    @Test(arguments: [
        ("nothing is known of its pace", [ModelOutlook()], Duration.milliseconds(4700), CallBudgets()),
        ("too little time is left", [known], .milliseconds(900), CallBudgets()),
        ("the budget allows none", [known], .milliseconds(4700), CallBudgets(hedges: 0)),
        (
            "the model rests", [ModelOutlook(firstPieceWithin: .milliseconds(400), rest: .seconds(1))],
            .milliseconds(4700), CallBudgets()
        ),
    ])
    func `no second call is made when`(
        what: String,
        outlooks: [ModelOutlook],
        budget: Duration,
        budgets: CallBudgets
    ) {
        let result = Self.run([.silent], outlooks: outlooks, budget: budget, budgets: budgets)
        #expect(result.calls.map(\.role) == [.first], "\(what)")
        #expect(result.outcome == ModelRouter.Outcome.none)
        #expect(result.decidedAt.since(ModelRouterWorld.start) == budget)
    }

    @Test func `a model that fails is followed by the next at once`() {
        let failing = Behaviour.fails(after: .milliseconds(50), .refused(status: 500, retryAfter: nil, message: ""))
        let result = Self.run([failing, Self.quick], outlooks: [ModelOutlook(), ModelOutlook()])
        #expect(result.calls.map(\.modelIndex) == [0, 1])
        #expect(result.calls[1].role == .fallback)
        #expect(result.outcome == .words(call: 1))
        #expect(Self.milliseconds(result) == 590)
    }

    @Test func `a model that stays silent is followed by the next while there is time for its reply`() {
        let result = Self.run([.silent, Self.quick], outlooks: [ModelOutlook(), ModelOutlook()])
        #expect(result.calls[1].askedAt.since(ModelRouterWorld.start) == .milliseconds(2820))
        #expect(result.outcome == .words(call: 1))
    }

    @Test func `a model that rests is passed over`() {
        let result = Self.run([Self.quick], outlooks: [ModelOutlook(rest: .seconds(9)), ModelOutlook()])
        #expect(result.calls.map(\.modelIndex) == [1])
        #expect(result.outcome == .words(call: 0))
    }

    @Test(arguments: [
        ModelError.unreachable(reason: ""), .malformed(reason: ""), .cutOff(pieces: 0), .empty,
        .refused(status: 500, retryAfter: nil, message: ""), .refused(status: 503, retryAfter: nil, message: ""),
        .refused(status: 529, retryAfter: nil, message: ""), .refused(status: 200, retryAfter: nil, message: "error"),
        .refused(status: 429, retryAfter: .milliseconds(10), message: ""), .resting(for: .milliseconds(10)),
    ])
    func `a failure that may pass is tried again after a pause`(error: ModelError) {
        let result = Self.run([.fails(after: .milliseconds(50), error), Self.quick])
        #expect(result.calls.map(\.role) == [.first, .retry])
        #expect(result.calls[1].askedAt.since(ModelRouterWorld.start) == .milliseconds(150))
        #expect(result.outcome == .words(call: 1))
    }

    @Test(arguments: [
        ModelError.refused(status: 400, retryAfter: nil, message: ""),
        .refused(status: 401, retryAfter: nil, message: ""), .refused(status: 403, retryAfter: .zero, message: ""),
        .refused(status: 404, retryAfter: nil, message: ""), .refused(status: 413, retryAfter: nil, message: ""),
        .refused(status: 422, retryAfter: nil, message: ""), .refused(status: 429, retryAfter: nil, message: ""),
        .refused(status: 200, retryAfter: nil, message: "content_filter"), .overloaded(inFlight: 9), .cancelled,
    ])
    func `a failure that would come again is not tried again`(error: ModelError) {
        let result = Self.run([.fails(after: .milliseconds(50), error), Self.quick])
        #expect(result.calls.map(\.role) == [.first])
        #expect(result.outcome == ModelRouter.Outcome.none)
        #expect(Self.milliseconds(result) == 50)
    }

    @Test func `a provider that asks to be left alone is, if the time allows it, and otherwise given up`() {
        func error(_ time: Duration) -> Behaviour {
            .fails(after: .milliseconds(50), .refused(status: 503, retryAfter: time, message: ""))
        }
        let soon = Self.run([error(.seconds(2)), Self.quick])
        #expect(soon.calls[1].askedAt.since(ModelRouterWorld.start) == .milliseconds(2050))
        #expect(soon.outcome == .words(call: 1))
        let late = Self.run([error(.seconds(5)), Self.quick])
        #expect(late.calls.count == 1)
        #expect(Self.milliseconds(late) == 50)
    }

    @Test func `retries end with their number and with their budget`() {
        let failing = Behaviour.fails(after: .milliseconds(10), .empty)
        #expect(Self.run([failing, failing, failing, failing]).calls.count == 3)
        #expect(Self.run([failing, Self.quick], budgets: CallBudgets(retries: 0)).calls.count == 1)
    }

    @Test func `a stream that stalls after a sentence is a reply soon afterwards`() {
        let result = Self.run([.stalls(after: .milliseconds(300), every: .milliseconds(20), words: 9)])
        #expect(result.outcome == .salvage(call: 0))
        #expect(Self.milliseconds(result) == 300 + 160 + 1200)
    }

    @Test func `a clause is kept while the next model is asked, and said when that fails`() {
        let stalled = Behaviour.stalls(after: .milliseconds(300), every: .milliseconds(20), words: 5)
        let two = [ModelOutlook(), ModelOutlook()]
        let better = Self.run([stalled, Self.quick], outlooks: two)
        #expect(better.outcome == .words(call: 1))
        let alone = Self.run([stalled, .fails(after: .milliseconds(5), .empty)], outlooks: two)
        #expect(alone.outcome == .salvage(call: 0))
    }

    @Test func `a stream that would not be whole in time is given up for the next model`() {
        let slow = Behaviour.speaks(after: .milliseconds(300), every: .milliseconds(700), words: 20)
        let result = Self.run([slow, Self.quick], outlooks: [ModelOutlook(), ModelOutlook()])
        #expect(result.journal.contains { $0.contains("slow") })
        #expect(result.calls[1].askedAt.since(ModelRouterWorld.start) == .milliseconds(1300))
        #expect(result.outcome == .words(call: 1))
    }

    @Test func `a slow stream that has nothing beside it is read to the end of the time`() {
        let slow = Behaviour.speaks(after: .milliseconds(300), every: .milliseconds(500), words: 20)
        let result = Self.run([slow])
        #expect(result.outcome == .salvage(call: 0))
        #expect(Self.milliseconds(result) == 4700)
    }

    @Test func `a hopeless stream is given up even with nothing beside it`() {
        let result = Self.run([.speaks(after: .milliseconds(300), every: .milliseconds(1190), words: 20)])
        #expect(result.outcome == ModelRouter.Outcome.none)
        #expect(Self.milliseconds(result) < 4700)
    }

    @Test func `what the output screen keeps back is followed by the next model`() {
        let result = Self.run(
            [.nothingToSay(after: .milliseconds(400)), Self.quick],
            outlooks: [ModelOutlook(), ModelOutlook()]
        )
        #expect(result.outcome == .words(call: 1))
    }

    @Test func `with too little time nobody is asked`() {
        let result = Self.run([Self.quick], budget: .milliseconds(150))
        #expect(result.calls.isEmpty)
        #expect(result.outcome == ModelRouter.Outcome.none)
    }
}
