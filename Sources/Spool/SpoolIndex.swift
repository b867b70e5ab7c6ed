import Domain

/// An in-memory index of the spooled writes by their idempotency keys.
struct SpoolIndex {
    private struct Key: Hashable {
        let tenant: TenantID
        let patient: PatientID
        let key: String
    }

    private struct KnownTurn {
        var fingerprint: String
        var message: MessageID
        var reply: Reply?
        var decided: EarlierDecision?
        var places: Set<Int64>
    }

    private struct KnownRequest {
        let earlier: EarlierRequest
        let place: Int64
    }

    private var turns: [Key: KnownTurn] = [:]
    private var raised: [Key: KnownRequest] = [:]
    private var events: [Key: KnownRequest] = [:]
    private var places: Set<Int64> = []

    /// Number of waiting writes.
    var count: Int { places.count }

    mutating func add(_ write: SpooledWrite, at place: Int64) {
        places.insert(place)
        switch write {
        case .recorded(let recorded):
            let decision = recorded.decision
            note(recorded.turn, at: place) { known in
                known.decided = EarlierDecision(
                    level: decision.level,
                    isAlerted: !decision.alerts.isEmpty,
                    fixedReply: decision.canned?.text
                )
            }
        case .committed(let committed):
            note(committed.turn, at: place) { known in
                known.reply = committed.reply
                known.message = committed.reply.message
            }
        case .alarm(let alert, _):
            guard let key = Self.key(alert) else { return }
            let earlier = EarlierRequest(id: alert.alert.id.uuid, fingerprint: alert.fingerprint)
            if raised[key] == nil { raised[key] = KnownRequest(earlier: earlier, place: place) }
        case .fell(let event, _):
            guard let key = Self.key(event) else { return }
            let earlier = EarlierRequest(id: event.id.uuid, fingerprint: event.fingerprint)
            if events[key] == nil { events[key] = KnownRequest(earlier: earlier, place: place) }
        case .raised, .told: return
        }
    }

    mutating func remove(_ write: SpooledWrite, at place: Int64) {
        guard places.remove(place) != nil else { return }
        switch write {
        case .recorded, .committed:
            guard let key = write.turn.map(Self.key) else { return }
            turns[key]?.places.remove(place)
            if turns[key]?.places.isEmpty == true { turns[key] = nil }
        case .alarm(let alert, _):
            if let key = Self.key(alert), raised[key]?.place == place { raised[key] = nil }
        case .fell(let event, _):
            if let key = Self.key(event), events[key]?.place == place { events[key] = nil }
        case .raised, .told: return
        }
    }

    func earlier(_ turn: Turn) -> EarlierAnswer? {
        turns[Self.key(turn)].map { known in
            EarlierAnswer(
                fingerprint: known.fingerprint,
                reply: known.reply,
                message: known.message,
                decided: known.decided
            )
        }
    }

    func earlier(_ alert: RaisedAlert) -> EarlierRequest? { Self.key(alert).flatMap { raised[$0]?.earlier } }

    func earlier(_ event: FallEvent) -> EarlierRequest? { Self.key(event).flatMap { events[$0]?.earlier } }

    private mutating func note(_ turn: Turn, at place: Int64, _ change: (inout KnownTurn) -> Void) {
        let key = Self.key(turn)
        var known = turns[key] ?? KnownTurn(fingerprint: turn.fingerprint, message: turn.id, places: [])
        known.places.insert(place)
        change(&known)
        turns[key] = known
    }

    private static func key(_ turn: Turn) -> Key {
        Key(tenant: turn.tenant, patient: turn.patient, key: turn.idempotencyKey)
    }

    private static func key(_ raised: RaisedAlert) -> Key? {
        raised.key.map { Key(tenant: raised.tenant, patient: raised.patient, key: $0) }
    }

    private static func key(_ event: FallEvent) -> Key? {
        event.key.map { Key(tenant: event.tenant, patient: event.patient, key: $0) }
    }
}
