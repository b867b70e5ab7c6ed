/// Everything that is tuned together, as one turn uses it; a turn that holds it sees no later change.
package struct TurnBundle: Sendable {
    /// The bundle's name in replies, traces and eval rows: the first 12 digits of the digest of all its files.
    package let version: String
    /// The rules for patients' messages.
    package let screen: any MessageScreen
    /// The policy that turns a screening into a decision, with its spoken lines.
    package let policy: any DecisionPolicy
    /// The rules for models' replies.
    package let output: any OutputScreen
    /// The prompts.
    package let composer: any PromptComposer
    /// The canned replies.
    package let replies: CannedReplies
    /// The models that have passed the floor suite together with the bundle.
    package private(set) var trust: ModelTrust
    /// The models to ask, and each stage's share of the time.
    package let routing: TurnRouting

    /// Makes a bundle from its parts, which must come from the same files.
    package init(
        version: String,
        screen: any MessageScreen,
        policy: any DecisionPolicy,
        output: any OutputScreen,
        composer: any PromptComposer,
        replies: CannedReplies,
        trust: ModelTrust = ModelTrust(),
        routing: TurnRouting = TurnRouting()
    ) {
        self.version = version
        self.screen = screen
        self.policy = policy
        self.output = output
        self.composer = composer
        self.replies = replies
        self.trust = trust
        self.routing = routing
    }

    /// Returns this bundle with the rules of another as its floor.
    ///
    /// Findings of either count, and a model's words must pass both.
    ///
    /// Serves a bundle that is tried on some patients: its rules may add to the active ones and take nothing away.
    package func onFloor(of other: TurnBundle) -> TurnBundle {
        TurnBundle(
            version: version,
            screen: FloorScreen(screen, floor: other.screen),
            policy: policy,
            output: FloorOutput(output, floor: other.output),
            composer: composer,
            replies: replies,
            trust: trust,
            routing: routing
        )
    }

    /// Returns this bundle with another trust in models.
    package func trusting(_ trust: ModelTrust) -> TurnBundle {
        var bundle = self
        bundle.trust = trust
        return bundle
    }
}
