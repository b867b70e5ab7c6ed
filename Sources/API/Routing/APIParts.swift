package import Conversation
package import Runtime

/// What the routes are made of.
package struct APIParts: Sendable {
    /// Answers turns.
    package let turns: any TurnAnswering
    /// Reads what the apps show.
    package let reads: any PatientReads
    /// Knows the service keys.
    package let keys: any ServiceKeyRecords
    /// Knows the prompt bundles.
    package let bundles: any PromptBundles
    /// Knows how each part of the service does.
    package let readiness: any Readiness
    /// Where figures are kept.
    package let metrics: Metrics
    /// Where lines go.
    package let log: Log
    /// Where time is read.
    package let time: any TimeSource
    /// The bounds.
    package let limits: APILimits

    /// Gathers the parts.
    package init(
        turns: any TurnAnswering,
        reads: any PatientReads,
        keys: any ServiceKeyRecords,
        bundles: any PromptBundles,
        readiness: any Readiness,
        metrics: Metrics,
        log: Log,
        time: any TimeSource = SystemTime(),
        limits: APILimits = APILimits()
    ) {
        self.turns = turns
        self.reads = reads
        self.keys = keys
        self.bundles = bundles
        self.readiness = readiness
        self.metrics = metrics
        self.log = log
        self.time = time
        self.limits = limits
    }
}
