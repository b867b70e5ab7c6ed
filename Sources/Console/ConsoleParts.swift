package import Conversation
package import Runtime

/// Dependencies of the console that are not pages.
package struct ConsoleParts: Sendable {
    /// The operators, their sessions and the audit trail.
    package let operators: any OperatorRecords
    /// Limits on the duration of a session.
    package let rules: SessionRules
    /// Address of the proxy in front, whose `X-Forwarded-For` is trusted; nil if there is none.
    package let proxy: String?
    /// Registry for the console's metrics.
    package let metrics: Metrics
    /// Destination of log lines.
    package let log: Log
    /// Clock of the console.
    package let time: any TimeSource

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
