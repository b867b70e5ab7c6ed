import Conversation
import Foundation

/// What the companion's prompt is given for one turn.
///
/// Every length is bounded and every value but the history stands on one line, so that no record can stretch
/// the prompt or look like a line of its own. Medicines are left out: what the patient takes is answered from
/// the records.
struct CompanionValues {
    private let input: PromptInput
    private let amounts: PromptAmounts
    private let language: SpokenLanguage
    private let clock: SpokenClock

    /// Makes the values.
    init(_ input: PromptInput, _ amounts: PromptAmounts) {
        self.input = input
        self.amounts = amounts
        let patient = input.memory?.patient
        language = SpokenLanguage(tag: patient?.language ?? "en")
        clock = SpokenClock(language, in: patient?.timeZone ?? .gmt)
    }

    /// The variables.
    var values: TemplateObject {
        let patient = input.memory?.patient
        return [
            "spanish": .bool(language.isSpanish),
            "language": .string(language.name),
            "companion": .string((patient?.companionName ?? "Milo").onOneLine(atMost: 40)),
            "name": patient.map { .string($0.name.onOneLine(atMost: 60)) } ?? .null,
            "tone": .string(input.tone.onOneLine(atMost: 40)),
            "facts": .list(facts),
            "family": .list(family),
            "now": patient == nil ? .null : .string(clock.now(input.date)),
            "memories": .list(memories),
            "wordCap": .integer(input.wordCap),
            "verdict": .bool(input.asksVerdict),
            "correction": input.correction.map { .string($0.replacing(/[._]/, with: " ").onOneLine(atMost: 60)) }
                ?? .null,
            "message": .string(input.text.onOneLine(atMost: 4_000)),
        ]
    }

    /// The earlier turns, oldest first.
    var history: [Prompt.Message] {
        (input.memory?.exchanges.suffix(amounts.turns) ?? []).flatMap { exchange in
            let said = Prompt.Message(.user, exchange.said.onOneLine(atMost: 600))
            guard let answered = exchange.answered else { return [said] }
            return [said, Prompt.Message(.assistant, answered.onOneLine(atMost: 300))]
        }
    }

    /// The newest facts, the oldest of them first, so that a new one leaves what stands before it as it was.
    private var facts: [TemplateValue] {
        let known = (input.memory?.facts ?? []).filter { $0.kind != .medicine }
        return known.prefix(amounts.facts).reversed().map { .string($0.text.onOneLine(atMost: 200)) }
    }

    /// Those whom the patient may be told of; who is told of abuse stays out of it.
    private var family: [TemplateValue] {
        let contacts = input.memory?.contacts.filter { !$0.isForAbuse } ?? []
        return contacts.prefix(3).map { contact in
            .object([
                "name": .string(contact.name.onOneLine(atMost: 60)),
                "relation": .string(contact.relation.onOneLine(atMost: 40)),
            ])
        }
    }

    private var memories: [TemplateValue] {
        input.memories.prefix(amounts.memories).map { memory in
            .object([
                "when": .string(clock.ago(memory.at, from: input.date)),
                "text": .string(memory.text.onOneLine(atMost: 300)),
            ])
        }
    }
}
