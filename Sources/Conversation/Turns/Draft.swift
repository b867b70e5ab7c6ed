/// A reply's words before they are finished, with where they come from.
struct Draft: Sendable {
    var text: String
    var source: ReplySource
    var degraded: [Degradation] = []
    var flags: [String] = []
    var usage = TokenUsage()
    /// The bundle of the prompt that a model was asked with; nil when none was.
    var promptVersion: String?
    /// Whether a model was asked.
    var wasAsked = false
    /// The calls to models that were made for it, in their order.
    var calls: [ReplyMaking.Call] = []
    /// The prompt that the models were asked with; nil when none was.
    var prompt: Prompt?
    /// The verdict of the model whose words these are; nil when it gave none.
    var verdict: ModelVerdict?
    /// Whether sentences that a model said send for emergency help, as far as the output screen has seen it.
    var sendingForHelp: [String: Bool] = [:]
    /// The posture in which that model answered.
    var posture = Posture.strict(reason: .untested)
    /// The canned replies that the words consist of, in their order; empty when they are a model's.
    var canned: [CannedReply] = []
    /// What a trial looks for in what the models did.
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
