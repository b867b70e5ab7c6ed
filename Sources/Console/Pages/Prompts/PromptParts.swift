package import Conversation
package import Evaluation
package import Prompts

/// What the prompts' pages work with.
package struct PromptParts: Sendable {
    /// What is in force on this replica.
    package let bundles: BundlesInForce
    /// Changes what is in force, for every replica.
    package let desk: ReleaseDesk
    /// Puts the newest release in force on this replica, so that the page after a change shows it.
    package let catchUp: @Sendable () async -> Void
    /// Makes a bundle of files that somebody is editing.
    package let make: LoadedBundle.Maker
    /// Where bundles are tried.
    package let bench: EvaluationBench
    /// What is tried there, with what.
    package let supplies: BenchSupplies
    /// Who saved which draft, and why.
    package let audit: any AuditTrail

    /// Gathers the parts.
    package init(
        bundles: BundlesInForce,
        desk: ReleaseDesk,
        catchUp: @escaping @Sendable () async -> Void,
        make: @escaping LoadedBundle.Maker,
        bench: EvaluationBench,
        supplies: BenchSupplies,
        audit: any AuditTrail
    ) {
        self.bundles = bundles
        self.desk = desk
        self.catchUp = catchUp
        self.make = make
        self.bench = bench
        self.supplies = supplies
        self.audit = audit
    }
}

/// What the bench is given: fixtures, models, and where runs are left.
package struct BenchSupplies: Sendable {
    /// Reads the fixtures; blocks on the disk.
    package let fixtures: @Sendable () throws(FixtureError) -> [Fixture]
    /// The models of fixtures that script none; empty where none is set.
    ///
    /// Their calls say nothing about those of turns.
    package let models: [any LanguageModel]
    /// What their tokens cost.
    package let price: TokenPrice
    /// The time of a turn.
    package let budgets: StageBudgets
    /// The folder of runs.
    package let runsFolder: String

    /// Gathers the supplies.
    package init(
        fixtures: @escaping @Sendable () throws(FixtureError) -> [Fixture],
        models: [any LanguageModel],
        price: TokenPrice,
        budgets: StageBudgets,
        runsFolder: String
    ) {
        self.fixtures = fixtures
        self.models = models
        self.price = price
        self.budgets = budgets
        self.runsFolder = runsFolder
    }

    /// What the models are called; empty where there is none.
    var modelName: String { models.map(\.name).joined(separator: ", ") }

    /// A bundle as the bench uses it.
    func parts(of bundle: TurnBundle) -> EvaluationParts {
        EvaluationParts(
            screen: bundle.screen,
            policy: bundle.policy,
            output: bundle.output,
            composer: bundle.composer,
            replies: bundle.replies,
            trust: bundle.trust,
            budgets: budgets,
            models: { [models] _ in models }
        )
    }
}
