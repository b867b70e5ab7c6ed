package import Foundation

/// What a prompt is composed from.
package struct PromptInput: Sendable {
    /// What the patient said.
    package let text: String
    /// When it is, for the patient.
    package let date: Date
    /// Who speaks and what is remembered; nil when memory could not be read.
    package let memory: PatientMemory?
    /// What was recalled, nearest first.
    package let memories: [RecalledMemory]
    /// The reply's cap in words.
    package let wordCap: Int
    /// How the reply should sound.
    package let tone: String
    /// Whether the model is asked to begin with a verdict on the message.
    package let asksVerdict: Bool
    /// The rule that an answer before this one broke; nil for the first answer.
    package let correction: String?
    /// Whether the demonstration model is asked, which has a prompt of its own where the bundle holds one.
    package let isForDemonstration: Bool

    /// Makes an input.
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
