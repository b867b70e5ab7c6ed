import Conversation
import Runtime

/// Writes a reply's provenance as JSON, under the names that its `Decodable` reads.
///
/// Written by hand for speed, because every turn writes one.
enum StoredMaking {
    /// Writes the provenance as an object.
    static func json(_ making: ReplyMaking) -> JSONValue {
        .members([
            "facts": making.facts.map { .integer($0) },
            "exchanges": .integer(making.exchanges),
            "reminders": .integer(making.reminders),
            "recalled": .array(making.recalled.map(json)),
            "calls": .array(making.calls.map(json)),
            "state": making.state.flatMap(StoredState.json),
        ])
    }

    private static func json(_ recalled: ReplyMaking.Recalled) -> JSONValue {
        [
            "id": .string(recalled.id.description),
            "score": .number("\(recalled.score)"),
            "isExact": .bool(recalled.isExact),
        ]
    }

    private static func json(_ call: ReplyMaking.Call) -> JSONValue {
        [
            "model": .string(call.model),
            "role": .string(call.role),
            "outcome": .string(call.outcome),
            "usage": StoredReply.json(call.usage),
            "microdollars": .integer(call.microdollars),
            "sentences": .array(call.sentences.map(json)),
        ]
    }

    private static func json(_ sentence: ReplyMaking.Sentence) -> JSONValue {
        .members([
            "text": .string(sentence.text),
            "spoken": sentence.spoken.map { .string($0) },
            "rule": sentence.rule.map { .string($0) },
        ])
    }
}
