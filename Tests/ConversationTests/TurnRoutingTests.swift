import Testing

@testable import Conversation
@testable import Domain

@Suite struct `Who sets the share of a stage` {
    private static let stages = StageBudgets.Stage.allCases

    private func share(of stage: StageBudgets.Stage, in budgets: StageBudgets) -> Duration {
        switch stage {
        case .remember: budgets.remember
        case .recall: budgets.recall
        case .record: budgets.record
        case .reserve: budgets.reserve
        }
    }

    private var routing: TurnRouting {
        var routing = TurnRouting()
        routing.remember = .milliseconds(31)
        routing.recall = .milliseconds(32)
        routing.record = .milliseconds(33)
        routing.reserve = .milliseconds(34)
        return routing
    }

    @Test(arguments: stages)
    func `an operator's share stands, and a bundle sets the others`(_ stage: StageBudgets.Stage) {
        let service = StageBudgets(pinned: [stage])
        let budgets = routing.budgets(of: service)
        for other in Self.stages {
            let kept = share(of: other, in: service) == share(of: other, in: budgets)
            #expect(kept == (other == stage))
        }
        #expect(budgets.turn == service.turn)
    }

    @Test func `a bundle that says nothing leaves every share as it is`() {
        let service = StageBudgets(remember: .milliseconds(77), recall: .milliseconds(78))
        #expect(TurnRouting().budgets(of: service) == service)
    }
}
