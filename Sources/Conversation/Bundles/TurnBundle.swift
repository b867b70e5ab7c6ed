/// Everything that is tuned together, as one turn uses it: a turn that holds it sees no later change.
package struct TurnBundle: Sendable {
    /// What replies, traces and eval rows call it: the first 12 digits of the digest of all its files.
    package let version: String
    /// The rules for what patients say.
    package let screen: any MessageScreen
    /// What follows from a screening, with the lines that are said.
    package let policy: any DecisionPolicy
    /// The rules for what a model says.
    package let output: any OutputScreen
    /// The prompts.
    package let composer: any PromptComposer
    /// The service's own words.
    package let replies: CannedReplies
    /// The models that have passed the floor suite together with the bundle.
    package private(set) var trust: ModelTrust
    /// Which models are asked, and each stage's share of the time.
    package let routing: TurnRouting

    /// Makes a bundle from its parts, which all come from the same files.
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

    /// This bundle with the rules of another as its floor: what either finds in a message counts, and what either would
    /// not let a model say is not said.
    ///
    /// For a bundle that is tried on some patients: its rules may add to those in force and take nothing away.
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

    /// This bundle with another trust in models.
    package func trusting(_ trust: ModelTrust) -> TurnBundle {
        var bundle = self
        bundle.trust = trust
        return bundle
    }
}
