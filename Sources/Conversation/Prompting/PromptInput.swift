package import Foundation

/// The input of a prompt.
package struct PromptInput: Sendable {
    /// The patient's message.
    package let text: String
    /// The present time.
    package let date: Date
    /// The patient's data; nil when memory could not be read.
    package let memory: PatientMemory?
    /// The recalled memories, nearest first.
    package let memories: [RecalledMemory]
    /// The reply's cap in words.
    package let wordCap: Int
    /// The tone of the reply.
    package let tone: String
    /// True if the model should begin with a verdict on the message.
    package let asksVerdict: Bool
    /// The rule that an earlier reply broke; nil for the first reply.
    package let correction: String?
    /// Whether the demonstration model is asked, which has a prompt of its own where the bundle holds one.
    package let isForDemonstration: Bool

    package init(
        text: String,
        date: Date,
        memory: PatientMemory?,
        memories: [RecalledMemory],
        wordCap: Int,
        tone: String,
        asksVerdict: Bool = false,
        correction: String? = nil,
        isForDemonstration: Bool = false
    ) {
        self.text = text
        self.date = date
        self.memory = memory
        self.memories = memories
        self.wordCap = wordCap
        self.tone = tone
        self.asksVerdict = asksVerdict
        self.correction = correction
        self.isForDemonstration = isForDemonstration
    }
}
