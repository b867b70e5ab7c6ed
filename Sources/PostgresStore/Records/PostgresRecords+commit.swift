package import Conversation
import Foundation
package import Runtime

/// What is written when the reply is made, in one round trip and one transaction.
extension PostgresRecords {
    /// Writes the reply, the trace and the jobs that follow, in one round trip.
    package func commit(_ committed: CommittedTurn, by deadline: Deadline) async throws(RecordsError) {
        let results = try await write(committed.turn.tenant, by: deadline, Committing.calls(for: committed))
        guard try results[0].first({ row throws(RecordsError) in try row.read(Int.self) }) == 1 else {
            throw .refused(code: "02000", message: "the message was never recorded")
        }
    }
}

/// The statements that store a reply.
enum Committing {
    static func calls(for committed: CommittedTurn) -> [StatementCall] {
        let answered = reply(
            .uuid(committed.turn.patient.uuid),
            .uuid(committed.reply.message.uuid),
            .text(committed.reply.text),
            .text(committed.reply.source.rawValue),
            .text(committed.reply.promptVersion),
            .json(StoredReply.json(committed.reply).bytes),
            .json(StoredSpans.json(committed.spans)),
            StoredState.value(of: committed.state),
            committed.making.map { .json(StoredMaking.json($0).bytes) } ?? .null,
            .text(committed.turn.fingerprint)
        )
        guard !committed.jobs.isEmpty else { return [answered] }
        return [answered, queue(committed.jobs, committed.turn)]
    }

    private static func queue(_ jobs: [Job.Work], _ turn: Turn) -> StatementCall {
        self.jobs(
            .uuid(turn.patient.uuid),
            .texts(jobs.map(\.kind.rawValue)),
            .uuids(jobs.map(\.message.uuid)),
            .texts(jobs.map { "\($0.delay.nanoseconds / 1_000_000) ms" })
        )
    }

    /// Counts the messages that were there to be answered; one of the same name with other words is none.
    ///
    /// The state is written only when it has changed since the message was recorded, which spares a version of the
    /// conversation's row at most turns.
    private static let reply = Statement(
        "commit_reply",
        [.uuid, .uuid, .text, .text, .text, .jsonb, .jsonb, .jsonb, .jsonb, .text],
        """
        WITH answered AS (
            UPDATE messages SET
                answered = $3, answered_at = now(), source = $4, prompt_version = $5, reply = $6, trace = $7, making = $9
            WHERE patient_id = $1 AND id = $2 AND fingerprint = $10
            RETURNING patient_id, conversation_id
        ), carried AS (
            UPDATE conversations c SET state = $8
            FROM answered a
            WHERE c.patient_id = a.patient_id AND c.id = a.conversation_id AND c.state IS DISTINCT FROM $8
        )
        SELECT count(*) FROM answered
        """
    )

    private static let jobs = Statement(
        "commit_jobs",
        [.uuid, .textArray, .uuidArray, .textArray],
        """
        INSERT INTO jobs (patient_id, tenant_id, kind, message_id, due_at)
        SELECT m.patient_id, m.tenant_id, j.kind, m.id, now() + j.delay::interval
        FROM unnest($2, $3, $4) AS j (kind, message_id, delay)
        JOIN messages m ON m.patient_id = $1 AND m.id = j.message_id
        ON CONFLICT (patient_id, message_id, kind) DO NOTHING
        """
    )
}
