import Conversation
import Runtime

/// A reply as its column holds it; read back by its `Decodable`, under the same names.
///
/// Written without an encoder, since every turn writes one.
enum StoredReply {
    /// The reply as an object.
    static func json(_ reply: Reply) -> JSONValue {
        [
            "text": .string(reply.text),
            "keepListening": .bool(reply.keepListening),
            "conversation": .string(reply.conversation.description),
            "message": .string(reply.message.description),
            "source": .string(reply.source.rawValue),
            "degraded": .strings(reply.degraded.map(\.rawValue)),
            "flags": .strings(reply.flags),
            "level": .string(reply.level.rawValue),
            "alertSent": .bool(reply.alertSent),
            "promptVersion": .string(reply.promptVersion),
            "usage": json(reply.usage),
        ]
    }

    /// What was used as an object.
    static func json(_ usage: TokenUsage) -> JSONValue {
        [
            "promptTokens": .integer(usage.promptTokens),
            "completionTokens": .integer(usage.completionTokens),
            "isEstimate": .bool(usage.isEstimate),
        ]
    }
}
