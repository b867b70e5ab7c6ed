import Conversation

/// What the spool holds, by the turns' keys: a value in memory beside the file.
struct SpoolIndex {
    private struct Key: Hashable {
        let tenant: TenantID
        let patient: PatientID
        let idempotencyKey: String

        init(_ turn: Turn) {
            tenant = turn.tenant
            patient = turn.patient
            idempotencyKey = turn.idempotencyKey
        }
    }

    private struct Known {
        var fingerprint: String
        var message: MessageID
        var reply: Reply?
        var decided: EarlierDecision?
        var places: Set<Int64>
    }

    private var known: [Key: Known] = [:]
    /// How many writes wait.
    private(set) var count = 0

    mutating func add(_ write: SpooledWrite, at place: Int64) {
        count += 1
        let turn = write.turn
        var entry = known[Key(turn)] ?? Known(fingerprint: turn.fingerprint, message: turn.id, places: [])
        entry.places.insert(place)
        if case .recorded(let recorded) = write {
            let decision = recorded.decision
            entry.decided = EarlierDecision(
                level: decision.level,
                isAlerted: decision.isAlerted,
                fixedReply: decision.fixedReply?.text
            )
        }
        if case .committed(let committed) = write {
            entry.reply = committed.reply
            entry.message = committed.reply.message
        }
        known[Key(turn)] = entry
    }

    mutating func remove(_ write: SpooledWrite, at place: Int64) {
        let key = Key(write.turn)
        guard known[key]?.places.remove(place) != nil else { return }
        count -= 1
        if known[key]?.places.isEmpty == true { known[key] = nil }
    }

    func earlier(_ turn: Turn) -> EarlierAnswer? {
        known[Key(turn)].map { known in
            EarlierAnswer(
                fingerprint: known.fingerprint,
                reply: known.reply,
                message: known.message,
                decided: known.decided
            )
        }
    }
}
