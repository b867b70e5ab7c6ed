/// What a pipeline is made of.
package struct TurnParts: Sendable {
    /// The system of record.
    package var records: any PatientRecords
    /// Where writes wait while the system of record is away.
    package var spool: any TurnSpool
    /// Who tells people meanwhile.
    package var delivery: any SpooledAlertDelivery
    /// What is known of those who spoke lately.
    package var recent: RecentMemories
    /// Recall of past conversation.
    package var recall: any MemoryRecall
    /// The input screen.
    package var screen: any MessageScreen
    /// What follows from a screening.
    package var policy: any DecisionPolicy
    /// The output screen.
    package var output: any OutputScreen
    /// The prompts.
    package var composer: any PromptComposer
    /// The models, in the order in which they are asked; none means that lines of ours answer.
    package var models: [any LanguageModel]
    /// Whether each of the models is asked to begin with a verdict; shorter than `models` means no for the rest.
    package var verdicts: [Bool]
    /// The service's own words.
    package var replies: CannedReplies
    /// The models that have passed the floor suite together with the prompts.
    package var trust: ModelTrust
    /// How often replies say that the companion is an AI.
    package var disclosure: Disclosure
    /// Exchanges screen, policy, output screen and prompts under the turns; nil when they stay as they are here.
    package var bundles: (any TurnBundles)?
    /// Is shown every turn that was answered; nil when nobody looks.
    package var observer: (any TurnObserving)?
    /// Looks at messages once more, beside their replies; nil when nobody does.
    package var triage: ModelTriage?
    /// Told after each turn that has left jobs.
    package var jobsLeft: @Sendable () -> Void

    /// Makes the parts.
    package init(
        records: any PatientRecords,
        spool: any TurnSpool,
        delivery: any SpooledAlertDelivery,
        recent: RecentMemories = RecentMemories(),
        recall: any MemoryRecall,
        screen: any MessageScreen,
        policy: any DecisionPolicy,
        output: any OutputScreen,
        composer: any PromptComposer,
        models: [any LanguageModel],
        verdicts: [Bool] = [],
        replies: CannedReplies,
        trust: ModelTrust = ModelTrust(),
        disclosure: Disclosure = Disclosure(.off),
        bundles: (any TurnBundles)? = nil,
        observer: (any TurnObserving)? = nil,
        triage: ModelTriage? = nil,
        jobsLeft: @escaping @Sendable () -> Void = {}
    ) {
        self.records = records
        self.spool = spool
        self.delivery = delivery
        self.recent = recent
        self.recall = recall
        self.screen = screen
        self.policy = policy
        self.output = output
        self.composer = composer
        self.models = models
        self.verdicts = verdicts
        self.replies = replies
        self.trust = trust
        self.disclosure = disclosure
        self.triage = triage
        self.jobsLeft = jobsLeft
        self.bundles = bundles
        self.observer = observer
    }

    /// These parts with those of a bundle.
    func with(_ bundle: TurnBundle) -> TurnParts {
        var parts = self
        parts.screen = bundle.screen
        parts.policy = bundle.policy
        parts.output = bundle.output
        parts.composer = bundle.composer
        parts.models = bundle.routing.models(of: models)
        parts.verdicts = bundle.routing.verdicts(of: models)
        parts.replies = bundle.replies
        parts.trust = bundle.trust
        return parts
    }

    /// The posture in which a model answers.
    func posture(of model: any LanguageModel) -> Posture {
        trust.posture(of: model.name, isDemonstration: model.isDemonstration)
    }

    /// The posture in which the model that is asked first answers.
    package var posture: Posture { models.first.map(posture) ?? .strict(reason: .untested) }

    /// Whether a model is asked for a verdict.
    func asksVerdict(ofModel index: Int) -> Bool { verdicts.indices.contains(index) && verdicts[index] }
}
