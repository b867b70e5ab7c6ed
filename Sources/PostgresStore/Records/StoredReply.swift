import Conversation
import Runtime

/// Writes a reply as JSON, under the names that its `Decodable` reads.
///
/// Values of the message's other columns are left out and restored on reading. Written by hand for speed, because every
/// turn writes one.
enum StoredReply {
    /// The whole reply of `messages m`, null when there is none; rows of the earlier format hold all of it.
    static let column = """
        CASE WHEN m.reply IS NOT NULL THEN jsonb_build_object(
            'text', m.answered, 'message', m.id, 'source', m.source, 'promptVersion', m.prompt_version
        ) || m.reply END
        """

    /// Writes the reply as an object, without the values of other columns.
    static func json(_ reply: Reply) -> JSONValue {
        [
            "keepListening": .bool(reply.keepListening),
            "conversation": .string(reply.conversation.description),
            "degraded": .strings(reply.degraded.map(\.rawValue)),
            "flags": .strings(reply.flags),
            "level": .string(reply.level.rawValue),
            "alertSent": .bool(reply.alertSent),
            "usage": json(reply.usage),
        ]
    }

    /// Writes the token usage as an object.
    static func json(_ usage: TokenUsage) -> JSONValue {
        [
            "promptTokens": .integer(usage.promptTokens),
            "completionTokens": .integer(usage.completionTokens),
            "isEstimate": .bool(usage.isEstimate),
        ]
    }
}
