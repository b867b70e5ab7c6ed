import Conversation
import Runtime

/// What a replica knows of who watches and of turns that are to be told or read: a value behind a lock.
///
/// A replica at which somebody watches says so every five seconds. Whoever hears it names its own turns for fifteen. A
/// replica that does not hear its own words knows that it hears nobody's.
struct RelayState: Sendable {
    /// What is to be done now.
    struct Step: Sendable, Equatable {
        /// What is announced.
        var news: [TurnNews] = []
        /// What is read and shown.
        var arrived: [AnsweredTurns] = []
    }

    /// How often a replica says that somebody watches.
    static let rhythm = Duration.seconds(5)
    /// For how long a word holds.
    static let validity = Duration.seconds(15)

    let replica: ReplicaID
    /// Until when another replica wants to be told.
    private var wantedUntil: Instant?
    private var toldAt: Instant?
    /// When a word of our own came back.
    private var heardAt: Instant?
    private var isLost = false
    private var isRunning = false
    private var answered: [TenantID: AnsweredTurns] = [:]
    private var arrived: [TenantID: AnsweredTurns] = [:]

    init(_ replica: ReplicaID) {
        self.replica = replica
    }

    /// Takes note of a turn of this replica, if somebody elsewhere wants to know.
    mutating func answer(_ place: TurnPlace, of tenant: TenantID, at now: Instant) {
        guard let wantedUntil, now < wantedUntil else { return }
        answered[tenant, default: AnsweredTurns(tenant: tenant)].add([place])
    }

    /// Hears news; true when something is to be done that was not.
    mutating func hear(_ news: TurnNews, at now: Instant) -> Bool {
        switch news {
        case .watched(replica): (heardAt, isLost) = (now, false)
        case .watched:
            wantedUntil = now + Self.validity
            return begin()
        case .answered(replica, _): break
        case .answered(_, let turns):
            arrived[turns.tenant, default: AnsweredTurns(tenant: turns.tenant)].add(turns.places, missed: turns.missed)
        }
        return false
    }

    /// Takes note that nothing could be told.
    mutating func lose() { isLost = true }

    /// Begins to work; false when work goes on already.
    mutating func begin() -> Bool {
        guard !isRunning else { return false }
        isRunning = true
        return true
    }

    /// What is to be done; nil, and the end of the work, when nobody watches here or anywhere.
    ///
    /// - Parameter watched: The tenants whose operators watch here.
    mutating func step(at now: Instant, watched: Set<TenantID>) -> Step? {
        let isWanted = wantedUntil.map { now < $0 } ?? false
        guard isWanted || !watched.isEmpty else {
            (isRunning, isLost, toldAt, heardAt, answered, arrived) = (false, false, nil, nil, [:], [:])
            return nil
        }
        var step = Step()
        if !watched.isEmpty, toldAt.map({ now.since($0) >= Self.rhythm }) ?? true {
            step.news.append(.watched(at: replica))
            toldAt = now
        }
        step.news += answered.values.map { .answered(at: replica, $0) }
        step.arrived = arrived.values.filter { watched.contains($0.tenant) }
        (answered, arrived) = ([:], [:])
        return step
    }

    /// Whether what other replicas tell is heard; nil until the first word can have come back.
    func hearsOthers(at now: Instant) -> Bool? {
        guard !isLost else { return false }
        if let heardAt { return now.since(heardAt) < Self.validity }
        guard let toldAt else { return nil }
        return now.since(toldAt) < .seconds(2) ? nil : false
    }
}
