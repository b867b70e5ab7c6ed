import Conversation
import Runtime

/// A reply as its column holds it; read back by its `Decodable`, under the same names.
///
/// What other columns of its message hold is not written again, and put back when it is read. Written without an encoder,
/// since every turn writes one.
enum StoredReply {
    /// The whole reply of `messages m`, null when it has none; a row from before holds all of it itself.
    static let column = """
        CASE WHEN m.reply IS NOT NULL THEN jsonb_build_object(
            'text', m.answered, 'message', m.id, 'source', m.source, 'promptVersion', m.prompt_version
        ) || m.reply END
        """

    /// The reply as an object, without what other columns hold.
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

    /// What was used as an object.
    static func json(_ usage: TokenUsage) -> JSONValue {
        [
            "promptTokens": .integer(usage.promptTokens),
            "completionTokens": .integer(usage.completionTokens),
            "isEstimate": .bool(usage.isEstimate),
        ]
    }
}
