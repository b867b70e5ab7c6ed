import Conversation
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

/// The durable queue of what follows a turn.
@Suite(.timeLimit(.minutes(1)))
struct JobQueueTests {
    private static let lease = Duration.seconds(60)

    @Test func `jobs are taken once, with their exchange, and are gone when finished`() async throws {
        try await withScratchRecords { scratch in
            let records = scratch.records
            let turn = try await answered(scratch, jobs: { [.embedExchange($0), .extractFacts($0)] })
            let jobs = try await records.take(Job.Kind.allCases, limit: 10, lease: Self.lease, by: .soon)
            #expect(
                Set(jobs.map { "\($0.work)" }) == [
                    "\(Job.Work.embedExchange(turn.id))", "\(Job.Work.extractFacts(turn.id))",
                ]
            )
            #expect(
                jobs.allSatisfy { $0.tenant == scratch.tenant && $0.patient == scratch.patient.id && $0.attempts == 0 }
            )
            #expect(try await records.take(Job.Kind.allCases, limit: 10, lease: Self.lease, by: .soon) == [])

            let patient = scratch.patient.id
            let exchange = try await records.exchange(of: turn.id, patient: patient, tenant: scratch.tenant, by: .soon)
            #expect(exchange?.said == turn.text)
            #expect(exchange?.answered == "Hello.")
            for job in jobs { try await records.finish(job, by: .soon) }
            #expect(try await scratch.database.run("SELECT count(*) FROM hearth.jobs") == [["0"]])
        }
    }

    @Test func `many takers never have the same job`() async throws {
        try await withScratchRecords { scratch in
            for _ in 0..<20 { _ = try await answered(scratch, jobs: { [.embedExchange($0), .extractFacts($0)] }) }
            let taken = try await (0..<10).concurrently { _ in
                try await scratch.records.take(Job.Kind.allCases, limit: 7, lease: Self.lease, by: .soon)
            }
            let ids = taken.flatMap { $0 }.map(\.id)
            #expect(ids.count == 40)
            #expect(Set(ids).count == 40)
            #expect(taken.allSatisfy { $0.count <= 7 })
        }
    }

    @Test func `jobs of every tenant are taken`() async throws {
        try await withScratchRecords { scratch in
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            let other = Patient(id: PatientID(), tenant: TenantID(), name: "Other", timeZone: .gmt)
            try await scratch.records.openTenant(other.tenant, name: "Other", by: .soon)
            try await scratch.records.store(other, by: .soon)
            _ = try await answered(scratch, of: other, jobs: { [.extractFacts($0)] })
            let jobs = try await scratch.records.take(Job.Kind.allCases, limit: 10, lease: Self.lease, by: .soon)
            #expect(Set(jobs.map(\.tenant)) == [scratch.tenant, other.tenant])
        }
    }

    @Test func `a job whose lease has ended is another's, and its first taker's word counts no more`() async throws {
        try await withScratchRecords { scratch in
            let records = scratch.records
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            let first = try await records.take(Job.Kind.allCases, limit: 1, lease: .zero, by: .soon)
            let second = try await records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon)
            #expect(second.map(\.id) == first.map(\.id))
            #expect(second.map(\.attempts) == [1])
            try await records.finish(first[0], by: .soon)
            try await records.retry(first[0], after: .zero, reason: "late", by: .soon)
            #expect(try await scratch.database.run("SELECT attempts, last_error FROM hearth.jobs") == [["2", ""]])
            try await records.finish(second[0], by: .soon)
            #expect(try await scratch.database.run("SELECT count(*) FROM hearth.jobs") == [["0"]])
        }
    }

    @Test func `a job that fails is tried again after its delay and kept as failed after the last attempt`()
        async throws
    {
        try await withScratchRecords { scratch in
            let records = scratch.records
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            for attempt in 0..<PostgresRecords.jobAttempts {
                let jobs = try await records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon)
                #expect(jobs.map(\.attempts) == [attempt])
                try await records.retry(jobs[0], after: .zero, reason: "attempt \(attempt)", by: .soon)
            }
            #expect(try await records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon) == [])
            let kept = try await scratch.database.run("SELECT failed_at IS NOT NULL, last_error FROM hearth.jobs")
            #expect(kept == [["t", "attempt \(PostgresRecords.jobAttempts - 1)"]])
        }
    }

    @Test func `a job is not due before its delay has passed`() async throws {
        try await withScratchRecords { scratch in
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            let jobs = try await scratch.records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon)
            try await scratch.records.retry(jobs[0], after: .seconds(3600), reason: "busy", by: .soon)
            #expect(try await scratch.records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon) == [])
            let due =
                "SELECT due_at BETWEEN now() + interval '59 minutes' AND now() + interval '61 minutes' FROM hearth.jobs"
            #expect(try await scratch.database.run(due) == [["t"]])
        }
    }

    @Test func `a job whose takers all died is kept as failed`() async throws {
        try await withScratchRecords { scratch in
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            for _ in 0..<PostgresRecords.jobAttempts {
                #expect(try await scratch.records.take(Job.Kind.allCases, limit: 1, lease: .zero, by: .soon).count == 1)
            }
            #expect(try await scratch.records.take(Job.Kind.allCases, limit: 1, lease: .zero, by: .soon) == [])
            let kept = try await scratch.database.run("SELECT failed_at IS NOT NULL, last_error FROM hearth.jobs")
            #expect(kept == [["t", "the last attempt ended silently"]])
        }
    }

    @Test func `jobs of a kind that only a newer program knows are left to it`() async throws {
        try await withScratchRecords { scratch in
            _ = try await answered(scratch, jobs: { [.extractFacts($0)] })
            try await scratch.database.run("UPDATE hearth.jobs SET kind = 'knit_socks'")
            #expect(try await scratch.records.take(Job.Kind.allCases, limit: 1, lease: Self.lease, by: .soon) == [])
            #expect(try await scratch.database.run("SELECT attempts FROM hearth.jobs") == [["0"]])
        }
    }

    @Test func `committing again adds no second job`() async throws {
        try await withScratchRecords { scratch in
            let turn = try await answered(scratch, jobs: { [.extractFacts($0)] })
            let again = turn.committed(turn.reply("Hello.", in: ConversationID()), jobs: [.extractFacts(turn.id)])
            try await scratch.records.commit(again, by: .soon)
            #expect(try await scratch.database.run("SELECT count(*) FROM hearth.jobs") == [["1"]])
        }
    }

    @Test func `an exchange without a reply, or of another tenant, is none`() async throws {
        try await withScratchRecords { scratch in
            let turn = scratch.turn()
            try await scratch.records.record(turn.recorded(), by: .soon)
            let done = try await answered(scratch, jobs: { _ in [] })
            let patient = scratch.patient.id
            let pairs = [(turn.id, scratch.tenant), (done.id, TenantID()), (MessageID(), scratch.tenant)]
            for (message, tenant) in pairs {
                let records = scratch.records
                #expect(try await records.exchange(of: message, patient: patient, tenant: tenant, by: .soon) == nil)
            }
            #expect(try await scratch.records.patient(patient, tenant: scratch.tenant, by: .soon) == scratch.patient)
            #expect(try await scratch.records.patient(patient, tenant: TenantID(), by: .soon) == nil)
        }
    }

    @Test func `only jobs of the kinds that are asked for are taken`() async throws {
        try await withScratchRecords { scratch in
            _ = try await answered(scratch) { [.embedExchange($0), .extractFacts($0)] }
            let records = scratch.records
            #expect(try await records.take([], limit: 10, lease: Self.lease, by: .soon) == [])
            let jobs = try await records.take([.extractFacts], limit: 10, lease: Self.lease, by: .soon)
            #expect(jobs.map(\.work.kind) == [.extractFacts])
            #expect(try await records.take([.extractFacts], limit: 10, lease: Self.lease, by: .soon) == [])
            #expect(try await records.take([.embedExchange], limit: 10, lease: Self.lease, by: .soon).count == 1)
        }
    }

    private func answered(
        _ scratch: ScratchRecords,
        of patient: Patient? = nil,
        jobs: (MessageID) -> [Job.Work]
    ) async throws -> Turn {
        let patient = patient ?? scratch.patient
        let turn = Turn(
            tenant: patient.tenant,
            patient: patient.id,
            text: "Good morning",
            spokenAt: Date(),
            receivedAt: Date()
        )
        let conversation = ConversationID()
        try await scratch.records.record(turn.recorded(in: conversation), by: .soon)
        let reply = turn.reply("Hello.", in: conversation)
        try await scratch.records.commit(turn.committed(reply, jobs: jobs(turn.id)), by: .soon)
        try await scratch.database.run("UPDATE hearth.jobs SET due_at = now() WHERE attempts = 0")
        return turn
    }
}
