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
    /// What a trial looks for in what the models did.
    var signals: TrialSignals = []

    init(_ text: String, from source: ReplySource) {
        self.text = text
        self.source = source
    }

    init(_ line: FixedReply) {
        self.init(line.text, from: .fixed)
    }

    init(_ answer: RecordAnswer) {
        self.init(answer.text, from: .record)
    }
}
