/// A turn once it is known who speaks, what was found and who must be told: all that is durable before the model is asked.
struct OpenedTurn: Sendable {
    let turn: Turn
    let memory: PatientMemory?
    let recollection: Recollection
    let screening: Screening
    let decision: Decision
    let conversation: ConversationID
    /// The message's identity in the record; an earlier one when a turn without a reply is taken up again.
    private(set) var message: MessageID
    private(set) var isRecorded = false
    private(set) var degraded: [Degradation]
    /// The bundle that answers it; nil when bundles are never exchanged.
    private(set) var choice: BundleChoice?

    init(
        turn: Turn,
        memory: PatientMemory?,
        recollection: Recollection,
        screening: Screening,
        decision: Decision,
        conversation: ConversationID,
        message: MessageID,
        degraded: [Degradation]
    ) {
        self.turn = turn
        self.memory = memory
        self.recollection = recollection
        self.screening = screening
        self.decision = decision
        self.conversation = conversation
        self.message = message
        self.degraded = degraded
    }

    var language: String { memory?.patient.language ?? "en-US" }

    /// This turn, its message and alerts durable.
    var recorded: OpenedTurn {
        var opened = self
        opened.isRecorded = true
        return opened
    }

    /// This turn as it goes on from a message that is durable already.
    func taken(up message: MessageID) -> OpenedTurn {
        var opened = recorded
        opened.message = message
        return opened
    }

    /// This turn as a bundle answers it.
    func answered(by choice: BundleChoice?) -> OpenedTurn {
        var opened = self
        opened.choice = choice
        return opened
    }

    /// This turn without a part.
    func without(_ part: Degradation) -> OpenedTurn {
        var opened = self
        opened.degraded.append(part)
        return opened
    }
}

/// What opening a turn came to.
enum Opening: Sendable {
    case opened(OpenedTurn)
    /// The turn was answered before.
    case replay(Reply)
}

/// What a stage of opening a turn brought, or why the turn goes on without it.
enum StageResult<Value: Sendable>: Sendable {
    case value(Value)
    /// Something was brought, and something is missing.
    case partial(Value, Degradation)
    case degraded(Degradation)
    case refused(TurnRefusal)

    var value: Value? {
        switch self {
        case .value(let value), .partial(let value, _): value
        case .degraded, .refused: nil
        }
    }

    var degradation: Degradation? {
        switch self {
        case .partial(_, let part), .degraded(let part): part
        case .value, .refused: nil
        }
    }
}
