package import Conversation
package import Runtime

/// Everything observed about one turn: the reply, decisions, alerts and stages.
package struct TurnObservation: Sendable {
    /// Text of the message.
    package var said: String
    /// The reply; nil if the turn was refused.
    package var reply: Reply?
    /// Reason for the refusal; nil if the turn was answered.
    package var refusal: TurnRefusal?
    /// Alerts written for this message.
    package var alerts: [Alert]
    /// Findings of the screens, including dismissed ones.
    package var findings: [Finding]
    /// Prompts in the order in which models received them.
    package var prompts: [Prompt]
    /// Spans of the stages.
    package var spans: [Trace.Span]
    /// Duration of the turn.
    package var elapsed: Duration
    /// Texts of the given memories and facts, for assertions on their use.
    package var known: [String]
    /// Failures for which the sample cannot be judged: a model that is not provided, or a missing recording.
    package var impediments: [String]

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
