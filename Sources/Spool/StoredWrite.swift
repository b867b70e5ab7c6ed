import Conversation
import Foundation
import Runtime

/// A write as its row holds it, in JSON: everything that the system of record is told, under names that stay.
struct StoredWrite: Codable {
    private struct StoredTurn: Codable {
        let id: MessageID
        let tenant: TenantID
        let patient: PatientID
        let text: String
        let spokenAt: Date
        let receivedAt: Date
        let context: Turn.Context
        let idempotencyKey: String
        let fingerprint: String
    }

    private struct Recorded: Codable {
        let conversation: ConversationID
        let findings: [Finding]
        let failures: [String]
        let level: Level
        let alerts: [Alert]
        let hasStandingAlert: Bool?
        let fixedReply: String?
        let state: ConversationState
        let reminderAnswer: ReminderAnswer?
    }

    private struct Committed: Codable {
        let reply: Reply
        let state: ConversationState
        let spans: [Trace.Span]
        let making: ReplyMaking?
        let jobs: [String: MessageID]
    }

    private let turn: StoredTurn
    private let recorded: Recorded?
    private let committed: Committed?
    private let told: AlertCase?

    init(_ write: SpooledWrite) {
        turn = StoredTurn(
            id: write.turn.id,
            tenant: write.turn.tenant,
            patient: write.turn.patient,
            text: write.turn.text,
            spokenAt: write.turn.spokenAt,
            receivedAt: write.turn.receivedAt,
            context: write.turn.context,
            idempotencyKey: write.turn.idempotencyKey,
            fingerprint: write.turn.fingerprint
        )
        switch write {
        case .recorded(let turn):
            recorded = Recorded(
                conversation: turn.conversation,
                findings: turn.screening.findings,
                failures: turn.screening.failures,
                level: turn.decision.level,
                alerts: turn.decision.alerts,
                hasStandingAlert: turn.decision.hasStandingAlert,
                fixedReply: turn.decision.fixedReply?.text,
                state: turn.decision.state,
                reminderAnswer: turn.reminderAnswer
            )
            (committed, told) = (nil, nil)
        case .committed(let turn):
            (recorded, told) = (nil, nil)
            committed = Committed(
                reply: turn.reply,
                state: turn.state,
                spans: turn.spans,
                making: turn.making,
                jobs: Dictionary(turn.jobs.map { ($0.kind.rawValue, $0.message) }) { first, _ in first }
            )
        case .told(let alertCase, _):
            (recorded, committed, told) = (nil, nil, alertCase)
        }
    }

    /// The write again; nil when the row holds none.
    var write: SpooledWrite? {
        let turn = Turn(
            id: turn.id,
            tenant: turn.tenant,
            patient: turn.patient,
            text: turn.text,
            spokenAt: turn.spokenAt,
            receivedAt: turn.receivedAt,
            context: turn.context,
            idempotencyKey: turn.idempotencyKey,
            fingerprint: turn.fingerprint
        )
        if let recorded { return .recorded(Self.recorded(turn, recorded)) }
        if let told { return .told(told, of: turn) }
        return committed.map { .committed(Self.committed(turn, $0)) }
    }

    private static func recorded(_ turn: Turn, _ stored: Recorded) -> RecordedTurn {
        RecordedTurn(
            turn: turn,
            conversation: stored.conversation,
            screening: Screening(findings: stored.findings, failures: stored.failures),
            decision: Decision(
                level: stored.level,
                alerts: stored.alerts,
                fixedReply: stored.fixedReply.map { FixedReply(text: $0, asks: $0.contains("?" as Character)) },
                warnsOfScam: false,
                state: stored.state,
                hasStandingAlert: stored.hasStandingAlert ?? false
            ),
            reminderAnswer: stored.reminderAnswer
        )
    }

    private static func committed(_ turn: Turn, _ stored: Committed) -> CommittedTurn {
        let jobs = Job.Kind.allCases.compactMap { kind in
            stored.jobs[kind.rawValue].map { Job.Work(kind, of: $0) }
        }
        return CommittedTurn(
            turn: turn,
            reply: stored.reply,
            state: stored.state,
            spans: stored.spans,
            making: stored.making,
            jobs: jobs
        )
    }
}
