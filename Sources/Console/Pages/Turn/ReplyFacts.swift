import Conversation
import Runtime

/// Facts about a reply besides its text.
struct ReplyFacts: Sendable {
    let reply: Reply
    /// Provenance of the reply; nil if it was not stored.
    let making: ReplyMaking?
    /// Duration of the turn.
    let elapsed: Duration

    var html: HTML {
        let degraded = reply.degraded.map(\.rawValue).joined(separator: ", ")
        let flags = reply.flags.joined(separator: ", ")
        let cost = making.map { Figure.dollars($0.microdollars) } ?? "not kept"
        return """
            <dl class="facts"><dt>Words from</dt><dd>\(reply.source.rawValue.replacing("_", with: " "))</dd>\
            <dt>Bundle</dt><dd><code>\(reply.promptVersion)</code></dd>\
            <dt>Did without</dt><dd>\(degraded.isEmpty ? "nothing" : degraded)</dd>\
            <dt>Flags</dt><dd>\(flags.isEmpty ? "none" : flags)</dd>\
            <dt>Somebody is told</dt><dd>\(reply.alertSent ? "yes" : "no")</dd>\
            <dt>Tokens</dt><dd>\(reply.usage.promptTokens) read, \(reply.usage.completionTokens) written\
            \(reply.usage.isEstimate ? ", estimated" : "")</dd><dt>Cost</dt><dd>\(cost)</dd>\
            <dt>Took</dt><dd>\(Figure.milliseconds(elapsed))</dd></dl>
            """
    }
}
