package import Conversation
package import Runtime

/// What the console itself is made of, besides its pages.
package struct ConsoleParts: Sendable {
    /// The operators, their sessions and the audit trail.
    package let operators: any OperatorRecords
    /// How long somebody stays signed in.
    package let rules: SessionRules
    /// The address of the proxy in front, whose word on where a request comes from is believed; nil for none.
    package let proxy: String?
    /// Where figures are kept.
    package let metrics: Metrics
    /// Where lines go.
    package let log: Log
    /// Where time is read.
    package let time: any TimeSource

    /// Gathers the parts.
    package init(
        operators: any OperatorRecords,
        rules: SessionRules = SessionRules(),
        proxy: String? = nil,
        metrics: Metrics,
        log: Log,
        time: any TimeSource = SystemTime()
    ) {
        self.operators = operators
        self.rules = rules
        self.proxy = proxy
        self.metrics = metrics
        self.log = log
        self.time = time
    }
}
