package import Conversation
package import Runtime

/// The dependencies of the routes.
package struct APIParts: Sendable {
    /// Answers turns.
    package let turns: any TurnAnswering
    /// Reads patients' data for apps.
    package let reads: any PatientReads
    /// Raises alerts and accepts the answers to them.
    package let desk: any AlertDesk
    /// Records fall events of devices.
    package let falls: any FallRecords
    /// Records heartbeats of devices.
    package let activity: any ActivityRecords
    /// Writes patients' contacts.
    package let roster: any PatientRoster
    /// Remembers the keys of requests that store nothing else.
    package let requests: any RequestRecords
    /// Authenticates callers by their service keys.
    package let keys: ServiceKeyCheck
    /// Receives the patients whose contacts have changed.
    package let contactsChanged: @Sendable (PatientID, TenantID) -> Void
    /// Lists the prompt bundles.
    package let bundles: any PromptBundles
    /// Reports the state of each part of the service.
    package let readiness: any Readiness
    /// Registry of the metrics.
    package let metrics: Metrics
    /// Destination of log lines.
    package let log: Log
    /// Source of the current time.
    package let time: any TimeSource
    /// Limits of requests.
    package let limits: APILimits

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
