package import Conversation

/// What a run is made of: the real screens, policy and prompts, and the run's own models.
package struct EvaluationParts: Sendable {
    /// The input screen.
    package var screen: any MessageScreen
    /// What follows from a screening.
    package var policy: any DecisionPolicy
    /// The output screen.
    package var output: any OutputScreen
    /// The prompts.
    package var composer: any PromptComposer
    /// The service's own words.
    package var replies: CannedReplies
    /// The models that are trusted with the prompts.
    package var trust: ModelTrust
    /// Whether each model is asked for a verdict.
    package var verdicts: [Bool]
    /// The models of fixtures that script none, made for each sample; empty when the run has none.
    package var models: @Sendable (SampleContext) -> [any LanguageModel]
    /// How much of a turn's deadline each stage may spend.
    package var budgets: StageBudgets

    /// Makes the parts; without models of its own unless given.
    package init(
        screen: any MessageScreen,
        policy: any DecisionPolicy,
        output: any OutputScreen,
        composer: any PromptComposer,
        replies: CannedReplies,
        trust: ModelTrust = ModelTrust(),
        verdicts: [Bool] = [],
        budgets: StageBudgets = StageBudgets(),
        models: @escaping @Sendable (SampleContext) -> [any LanguageModel] = { _ in [] }
    ) {
        self.screen = screen
        self.policy = policy
        self.output = output
        self.composer = composer
        self.replies = replies
        self.trust = trust
        self.verdicts = verdicts
        self.budgets = budgets
        self.models = models
    }
}
