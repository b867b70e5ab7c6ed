package import Conversation
package import Runtime

/// What the routes are made of.
package struct APIParts: Sendable {
    /// Answers turns.
    package let turns: any TurnAnswering
    /// Reads what the apps show.
    package let reads: any PatientReads
    /// Raises alerts, and takes the answers to them.
    package let desk: any AlertDesk
    /// Takes what devices say of falls.
    package let falls: any FallRecords
    /// Takes what devices say of activity.
    package let activity: any ActivityRecords
    /// Writes who may be told.
    package let roster: any PatientRoster
    /// Knows the requests that leave nothing else under their keys.
    package let requests: any RequestRecords
    /// Knows who callers are by their service keys.
    package let keys: ServiceKeyCheck
    /// Told of whom the contacts have changed.
    package let contactsChanged: @Sendable (PatientID, TenantID) -> Void
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
        desk: any AlertDesk,
        falls: any FallRecords,
        activity: any ActivityRecords,
        roster: any PatientRoster,
        requests: any RequestRecords,
        keys: any ServiceKeyRecords,
        knownKeys: (any KnownKeys)? = nil,
        contactsChanged: @escaping @Sendable (PatientID, TenantID) -> Void = { _, _ in },
        bundles: any PromptBundles,
        readiness: any Readiness,
        metrics: Metrics,
        log: Log,
        time: any TimeSource = SystemTime(),
        limits: APILimits = APILimits()
    ) {
        self.turns = turns
        self.reads = reads
        self.desk = desk
        self.falls = falls
        self.activity = activity
        self.roster = roster
        self.requests = requests
        self.keys = ServiceKeyCheck(keys, knowing: knownKeys, limits: limits, time: time)
        self.contactsChanged = contactsChanged
        self.bundles = bundles
        self.readiness = readiness
        self.metrics = metrics
        self.log = log
        self.time = time
        self.limits = limits
    }
}
