/// What a reply was made of, as it is kept with the message for whoever asks later; a few hundred bytes.
package struct ReplyMaking: Sendable, Equatable, Codable {
    /// A sentence that a model said, and what the output screen made of it.
    package struct Sentence: Sendable, Equatable, Codable {
        /// As the model said it.
        package let text: String
        /// As it was let through; nil when it was not, or as it was said.
        package let spoken: String?
        /// The rule that kept it back or put a line of ours in its place; nil when none did.
        package let rule: String?

        /// Makes a sentence; one that passed as it was said unless told otherwise.
        package init(_ text: String, spoken: String? = nil, rule: String? = nil) {
            self.text = text
            self.spoken = spoken
            self.rule = rule
        }
    }

    /// One call to a model.
    package struct Call: Sendable, Equatable, Codable {
        /// The model's name.
        package let model: String
        /// Which call it was: the first, one beside it, a retry.
        package let role: String
        /// How it ended.
        package let outcome: String
        /// What it used.
        package let usage: TokenUsage
        /// What that cost, in millionths of a dollar.
        package let microdollars: Int
        /// What it said, sentence by sentence, as far as it was read.
        package let sentences: [Sentence]

        /// Makes a call.
        package init(
            model: String,
            role: String,
            outcome: String,
            usage: TokenUsage,
            microdollars: Int,
            sentences: [Sentence]
        ) {
            self.model = model
            self.role = role
            self.outcome = outcome
            self.usage = usage
            self.microdollars = microdollars
            self.sentences = sentences
        }
    }

    /// Something recalled; its words are in the record of memories.
    package struct Recalled: Sendable, Equatable, Codable {
        /// Which memory.
        package let id: MemoryID
        /// How close it is, from -1 to 1, after recency.
        package let score: Float
        /// Whether it was found by an exact word rather than by meaning.
        package let isExact: Bool

        /// Makes something recalled.
        package init(id: MemoryID, score: Float, isExact: Bool) {
            self.id = id
            self.score = score
            self.isExact = isExact
        }
    }

    /// How many facts were remembered; nil when memory was not there.
    package let facts: Int?
    /// How many earlier turns were remembered.
    package let exchanges: Int
    /// How many reminders were in force.
    package let reminders: Int
    /// What was recalled, nearest first.
    package let recalled: [Recalled]
    /// The calls to models, in their order.
    package let calls: [Call]
    /// What the conversation carried when the turn began; nil when it carried nothing, or memory was not there.
    package let state: ConversationState?

    /// Makes an account of a reply.
    package init(
        facts: Int?,
        exchanges: Int,
        reminders: Int,
        recalled: [Recalled],
        calls: [Call],
        state: ConversationState? = nil
    ) {
        self.facts = facts
        self.exchanges = exchanges
        self.reminders = reminders
        self.recalled = recalled
        self.calls = calls
        self.state = state
    }

    /// What all calls cost together, in millionths of a dollar.
    package var microdollars: Int { calls.reduce(0) { $0 + $1.microdollars } }
}

extension ReplyMaking {
    private static let mostRecalled = 10

    /// The account of a turn's reply.
    init(_ opened: OpenedTurn, _ calls: [Call]) {
        self.init(
            facts: opened.memory?.facts.count,
            exchanges: opened.memory?.exchanges.count ?? 0,
            reminders: opened.memory?.reminders.count ?? 0,
            recalled: opened.recollection.memories.prefix(Self.mostRecalled).map {
                Recalled(id: $0.id, score: $0.score, isExact: $0.isExact)
            },
            calls: calls,
            state: opened.memory.flatMap { $0.state == ConversationState() ? nil : $0.state }
        )
    }
}
