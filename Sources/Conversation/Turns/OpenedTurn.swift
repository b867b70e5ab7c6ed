/// A turn once it is known who speaks, what was found and who must be told: all that is durable before the model is asked.
struct OpenedTurn: Sendable {
    let turn: Turn
    let memory: PatientMemory?
    let recollection: Recollection
    let screening: Screening
    let manner: TurnAdmission.Manner
    private(set) var decision: Decision
    let conversation: ConversationID
    /// The message's identity in the record; an earlier one when a turn without a reply is taken up again.
    private(set) var message: MessageID
    private(set) var isRecorded = false
    /// Whether the message waits in the spool, and so must what follows it.
    private(set) var isSpooled = false
    /// What was kept of an earlier call with the same key.
    let earlier: EarlierAnswer?
    private(set) var degraded: [Degradation]
    /// The bundle that answers it; nil when bundles are never exchanged.
    private(set) var choice: BundleChoice?

    init(
        turn: Turn,
        memory: PatientMemory?,
        recollection: Recollection,
        screening: Screening,
        manner: TurnAdmission.Manner,
        decision: Decision,
        conversation: ConversationID,
        message: MessageID,
        earlier: EarlierAnswer?,
        degraded: [Degradation]
    ) {
        self.turn = turn
        self.memory = memory
        self.recollection = recollection
        self.screening = screening
        self.manner = manner
        self.decision = decision
        self.conversation = conversation
        self.message = message
        self.earlier = earlier
        self.degraded = degraded
    }

    var language: String { memory?.patient.language ?? "en-US" }

    /// Words of the service, for this patient and not lately said; nil when the bundle has none that fit the cap.
    func canned(_ name: String, from replies: CannedReplies, words: Int? = nil) -> CannedReply? {
        replies.reply(
            name,
            in: language,
            after: decision.state.said,
            values: memory?.spokenValues(in: language) ?? PatientMemory.valuesOfStranger(in: language),
            words: words ?? turn.wordCap
        )
    }

    /// Words for when there is nothing else to say, within the caller's cap.
    func fallback(from replies: CannedReplies) -> CannedReply {
        let isQuestion = turn.text.contains { "?¿".contains($0) }
        let name = isQuestion ? "unsure" : "listening"
        return canned(name, from: replies) ?? canned(name + ".short", from: replies) ?? CannedReply(text: "…")
    }

    /// This turn, its message and alerts durable.
    var recorded: OpenedTurn {
        var opened = self
        opened.isRecorded = true
        return opened
    }

    /// This turn, its message and alerts durable in the spool.
    var spooled: OpenedTurn {
        var opened = recorded
        opened.isSpooled = true
        return opened
    }

    /// This turn as it goes on from a message that is durable already.
    func taken(up message: MessageID) -> OpenedTurn {
        var opened = recorded
        opened.message = message
        return opened
    }

    /// This turn with what its reply leaves for the conversation to carry on.
    func carrying(_ state: ConversationState) -> OpenedTurn {
        var opened = self
        opened.decision.state = state
        return opened
    }

    /// This turn with the decision that a model's answer has led to; its alerts are all that were raised.
    func resolved(_ decision: Decision, raising alerts: [Alert]) -> OpenedTurn {
        var opened = self
        opened.decision = decision
        opened.decision.alerts = self.decision.alerts + alerts
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
        if !degraded.contains(part) { opened.degraded.append(part) }
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

    /// What was brought when nothing is missing of it.
    var whole: Value? { if case .value(let value) = self { value } else { nil } }

    var degradation: Degradation? {
        switch self {
        case .partial(_, let part), .degraded(let part): part
        case .value, .refused: nil
        }
    }
}
