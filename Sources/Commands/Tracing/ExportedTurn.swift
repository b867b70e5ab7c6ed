import Cryptography
import Domain
import Foundation
import Runtime

/// The trace of a turn for a collector: times, outcomes and identities, without words.
struct ExportedTurn: Sendable {
    /// The message, which names the trace.
    let message: MessageID
    let tenant: TenantID
    let reply: Facts
    let spans: [Trace.Span]
    let elapsed: Duration
    /// Time of the answer.
    let date: Date

    /// Facts about the reply.
    struct Facts: Sendable {
        let source: ReplySource
        let level: Level
        let degraded: [Degradation]
        let flags: [String]
        let bundle: String
        let arm: String?
        let usage: TokenUsage
    }

    init(_ turn: ObservedTurn) {
        message = turn.reply.message
        tenant = turn.turn.tenant
        reply = Facts(
            source: turn.reply.source,
            level: turn.reply.level,
            degraded: turn.reply.degraded,
            flags: turn.reply.flags,
            bundle: turn.reply.promptVersion,
            arm: turn.arm,
            usage: turn.reply.usage
        )
        spans = turn.spans
        elapsed = turn.elapsed
        date = turn.date
    }
}

/// Selects the turns whose traces are exported.
struct TraceSampling: Sendable {
    /// Time beyond which a turn is late.
    let lateness: Duration
    /// Percent of the turns that are neither late, degraded nor flagged.
    let percent: Int

    /// Returns true if the turn's trace is exported: all late, degraded or flagged turns, and a share of the others.
    ///
    /// The share is selected by the message's identity, so that every replica and repetition selects the same turns.
    func takes(_ turn: ObservedTurn) -> Bool {
        if turn.elapsed > lateness || !turn.reply.degraded.isEmpty || !turn.reply.flags.isEmpty { return true }
        if turn.spans.contains(where: { $0.outcome == .failed || $0.outcome == .degraded }) { return true }
        let draw = Digest.sha256(turn.reply.message.description).bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        return draw * 100 < percent << 16
    }
}
