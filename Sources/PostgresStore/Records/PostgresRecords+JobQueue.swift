package import Conversation
import Foundation
package import Runtime

/// The durable queue of jobs.
///
/// A job that is taken is due again when its lease ends, so that one whose replica died is taken by another. The number
/// of attempts tells its present taker from an earlier one, whose late words change nothing.
extension PostgresRecords: JobQueue {
    package func take(
        _ kinds: [Job.Kind],
        limit: Int,
        lease: Duration,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Job] {
        let attempts = PostgresValue.integer(Int64(Self.jobAttempts))
        let results = try await run(
            .queues,
            by: deadline,
            Queueing.bury(attempts),
            Queueing.take(
                .integer(Int64(limit)),
                .integer(lease.nanoseconds / 1_000_000),
                attempts,
                .texts(kinds.map(\.rawValue))
            )
        )
        return try results[1].map(Queueing.read)
    }

    package func finish(_ job: Job, by deadline: Deadline) async throws(RecordsError) {
        _ = try await write(job.tenant, on: .background, by: deadline, [Queueing.finish(job)])
    }

    package func retry(
        _ job: Job,
        after delay: Duration,
        reason: String,
        by deadline: Deadline
    ) async throws(RecordsError) {
        let call = Queueing.retry(job, after: delay, reason: reason, attempts: Self.jobAttempts)
        _ = try await write(job.tenant, on: .background, by: deadline, [call])
    }
}

/// The statements of the job queue.
enum Queueing {
    /// A job whose last attempt ended without a word is kept as failed.
    static let bury = Statement(
        "jobs_bury",
        [.int8],
        """
        UPDATE jobs SET failed_at = now(), last_error = coalesce(last_error || '; ', '') || 'the last attempt ended silently'
        WHERE failed_at IS NULL AND due_at <= now() AND attempts >= $1
        """
    )

    static let take = Statement(
        "jobs_take",
        [.int8, .int8, .int8, .textArray],
        """
        WITH due AS (
            SELECT patient_id, id FROM jobs
            WHERE failed_at IS NULL AND due_at <= now() AND attempts < $3 AND kind = ANY ($4)
            ORDER BY due_at
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        UPDATE jobs j SET attempts = j.attempts + 1, due_at = now() + $2 * interval '1 millisecond'
        FROM due
        WHERE j.patient_id = due.patient_id AND j.id = due.id
        RETURNING j.id, j.tenant_id, j.patient_id, j.kind, j.message_id, j.attempts - 1 AS attempts
        """
    )

    static func finish(_ job: Job) -> StatementCall {
        finished(.uuid(job.patient.uuid), .integer(job.id), .integer(Int64(job.attempts + 1)))
    }

    static func retry(_ job: Job, after delay: Duration, reason: String, attempts: Int) -> StatementCall {
        retried(
            .uuid(job.patient.uuid),
            .integer(job.id),
            .integer(Int64(job.attempts + 1)),
            .integer(delay.nanoseconds / 1_000_000),
            .text(reason),
            .integer(Int64(attempts))
        )
    }

    static func read(_ row: inout PostgresRow) throws(RecordsError) -> Job {
        let id = try row.read(Int64.self)
        let tenant = try row.readID(TenantID.self)
        let patient = try row.readID(PatientID.self)
        let work = Job.Work(try row.readWord(), of: try row.readID())
        return Job(id: id, tenant: tenant, patient: patient, work: work, attempts: try row.read())
    }

    private static let finished = Statement(
        "jobs_finish",
        [.uuid, .int8, .int8],
        "DELETE FROM jobs WHERE patient_id = $1 AND id = $2 AND attempts = $3"
    )

    private static let retried = Statement(
        "jobs_retry",
        [.uuid, .int8, .int8, .int8, .text, .int8],
        """
        UPDATE jobs SET
            due_at = now() + $4 * interval '1 millisecond',
            last_error = $5,
            failed_at = CASE WHEN attempts >= $6 THEN now() END
        WHERE patient_id = $1 AND id = $2 AND attempts = $3
        """
    )
}
