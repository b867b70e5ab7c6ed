package import Conversation
package import YAML

/// Something that must hold of an answer, or of how it came to be.
package struct Assertion: Sendable, Equatable {
    /// What is asserted.
    package indirect enum Kind: Sendable, Equatable {
        /// The reply is exactly this.
        case equals(String)
        /// The reply holds one, or all, of these.
        case contains([String], all: Bool, ignoringCase: Bool)
        case startsWith(String, ignoringCase: Bool)
        case endsWith(String)
        /// An ICU regular expression finds something in the reply.
        case regex(String)
        /// The reply's words, counted as they are heard.
        case wordCount(ClosedRange<Int>)
        /// The edit distance to a text is at most so much.
        case levenshtein(String, atMost: Int)
        /// The reply declines.
        case isRefusal
        /// The reply cost at most so many US dollars.
        case cost(atMost: Double)
        /// The whole turn took at most so many milliseconds.
        case latency(atMost: Double)
        /// A stage took at most so many milliseconds.
        case stageLatency(stage: String, atMost: Double)
        /// A judge finds that the rubric holds.
        case rubric(String)
        /// So many of these hold, by weight.
        case set([Assertion], threshold: Double?)
        /// The message was flagged as a scam; by one of these rules when any are named.
        case scamFlag(rules: [String])
        /// The gravest alert that was written is within a range; of one category when it is named.
        case alertLevel(ClosedRange<Level>, category: Conversation.Category?)
        /// A rule for the model's words fired; one whose name begins so when any are named.
        case guardrail(rules: [String])
        /// A given memory or fact reached the model, or the reply when so said.
        case memoryUsed(String, inReply: Bool)
        /// A message of a role in the prompt holds a text.
        case prompt(role: Prompt.Message.Role?, contains: String)
        case noMedicalAdvice
        case noLegalAdvice
        /// The reply comes from one of these.
        case source([ReplySource])
        /// Exactly these parts were done without.
        case degraded([Degradation])
        /// Whether the device listens on.
        case keepListening(Bool)
    }

    /// The type as it is written, without `not-`.
    package var type: String
    /// Whether the opposite must hold.
    package var isNegated: Bool
    /// What must hold.
    package var kind: Kind
    /// How much it counts in the score, 0 or more; one that counts nothing is reported only.
    package var weight: Double
    /// The measure that it adds to; nil for none but the whole.
    package var metric: String?
    /// Where it is written.
    package var position: YAMLPosition

    /// Makes an assertion.
    package init(
        type: String,
        isNegated: Bool = false,
        kind: Kind,
        weight: Double = 1,
        metric: String? = nil,
        position: YAMLPosition
    ) {
        self.type = type
        self.isNegated = isNegated
        self.kind = kind
        self.weight = weight
        self.metric = metric
        self.position = position
    }

    /// The type as it is written.
    package var name: String { isNegated ? "not-\(type)" : type }
}
