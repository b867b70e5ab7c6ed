/// A reply before the finish, with its source.
struct Draft: Sendable {
    var text: String
    var source: ReplySource
    var degraded: [Degradation] = []
    var flags: [String] = []
    var usage = TokenUsage()
    /// The version of the prompt's bundle; nil when no model was asked.
    var promptVersion: String?
    /// True if a model was asked.
    var wasAsked = false
    /// The calls to models, in order.
    var calls: [ReplyMaking.Call] = []
    /// The prompt of the models; nil when none was asked.
    var prompt: Prompt?
    /// The verdict of the model that made the reply; nil without one.
    var verdict: ModelVerdict?
    /// Whether sentences that a model said send for emergency help, as far as the output screen has seen it.
    var sendingForHelp: [String: Bool] = [:]
    /// The posture in which that model answered.
    var posture = Posture.strict(reason: .untested)
    /// The canned replies of the text, in order; empty for a model's words.
    var canned: [CannedReply] = []
    /// The signals for a trial from the calls.
    var signals: TrialSignals = []

    init(_ text: String, from source: ReplySource) {
        self.text = text
        self.source = source
    }

    init(_ reply: CannedReply, from source: ReplySource = .fixed) {
        self.init(reply.text, from: source)
        canned = [reply]
    }
}
