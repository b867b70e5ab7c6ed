package import Conversation
package import Runtime

/// What came of one turn: the reply, what was decided and written, and what every stage did.
package struct TurnObservation: Sendable {
    /// What was said.
    package var said: String
    /// The reply; nil when the turn was refused.
    package var reply: Reply?
    /// Why the turn was refused; nil when it was answered.
    package var refusal: TurnRefusal?
    /// The alerts that were written for this message.
    package var alerts: [Alert]
    /// What the screens found, those that were let go too.
    package var findings: [Finding]
    /// The prompts that models were given, in the order in which they were asked.
    package var prompts: [Prompt]
    /// What the stages did.
    package var spans: [Trace.Span]
    /// From the turn's start to its answer.
    package var elapsed: Duration
    /// What given memories and facts there were, for assertions on their use.
    package var known: [String]
    /// The failures that say that the sample cannot be judged: a model that no script and no run provides, a missing recording.
    package var impediments: [String]

    /// Makes an observation.
    package init(
        said: String,
        reply: Reply?,
        refusal: TurnRefusal? = nil,
        alerts: [Alert] = [],
        findings: [Finding] = [],
        prompts: [Prompt] = [],
        spans: [Trace.Span] = [],
        elapsed: Duration = .zero,
        known: [String] = [],
        impediments: [String] = []
    ) {
        self.said = said
        self.reply = reply
        self.refusal = refusal
        self.alerts = alerts
        self.findings = findings
        self.prompts = prompts
        self.spans = spans
        self.elapsed = elapsed
        self.known = known
        self.impediments = impediments
    }
}
