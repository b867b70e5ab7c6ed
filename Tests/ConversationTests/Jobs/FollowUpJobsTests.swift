import Conversation
import Domain
import Runtime
import TestSupport
import Testing

/// The service's jobs of all kinds, each kind in a runner of its own.
@Suite(.timeLimit(.minutes(1)))
struct FollowUpJobsTests {
    private let queue = RecordedQueue()
    private let memories = GatedHandler([.embedExchange])
    private let facts = GatedHandler([.readFacts])
    private let time = VirtualTime()
    private let metrics = Metrics()
    private let tenant = TenantID()

    @Test func `kinds that wait for each other nowhere are counted in one metric`() async throws {
        queue.add(job(1, .readFacts(ConversationID())), job(2, .embedExchange(MessageID())))
        var (reading, storing) = (facts.begun.makeAsyncIterator(), memories.begun.makeAsyncIterator())
        let jobs = FollowUpJobs(
            queue,
            handlers: [memories, facts],
            log: Log(to: MemoryLogSink()),
            metrics: metrics,
            time: time
        )
        try await jobs.start()
        #expect(await reading.next() == 1)
        #expect(await storing.next() == 2)
        #expect(jobs.running == 2)

        memories.end(2)
        var events = queue.events.makeAsyncIterator()
        while let event = await events.next(), event != .finished(2) {}
        #expect(metrics.counts("hearth_jobs_total") == [["embed_exchange", "done"]: 1])

        facts.end(1)
        while let event = await events.next(), event != .finished(1) {}
        await jobs.drain(by: Deadline(after: .seconds(60), from: time.now))
        #expect(jobs.running == 0)
        #expect(metrics.total("hearth_jobs_total") { $0[1] == "done" } == 2)
    }

    @Test func `work of a kind wakes the runner of that kind alone`() async throws {
        var (events, storing) = (queue.events.makeAsyncIterator(), memories.begun.makeAsyncIterator())
        let jobs = FollowUpJobs(
            queue,
            handlers: [memories, facts],
            log: Log(to: MemoryLogSink()),
            metrics: metrics,
            time: time
        )
        try await jobs.start()
        for _ in 0..<2 { #expect(await events.next() == .took([], limit: 2)) }
        queue.add(job(1, .readFacts(ConversationID())), job(2, .embedExchange(MessageID())))
        jobs.wake(for: .embedExchange)
        #expect(await storing.next() == 2)
        #expect(jobs.running == 1)
        memories.end(2)
        await jobs.drain(by: Deadline(after: .seconds(60), from: time.now))
    }

    @Test func `jobs without a handler drain at once`() async throws {
        let jobs = FollowUpJobs(queue, handlers: [], log: Log(to: MemoryLogSink()), metrics: metrics, time: time)
        try await jobs.start()
        await jobs.drain(by: Deadline(after: .seconds(60), from: time.now))
        #expect(jobs.running == 0 && metrics.counts("hearth_jobs_total").isEmpty)
    }

    private func job(_ id: Int64, _ work: Job.Work) -> Job {
        Job(id: id, tenant: tenant, patient: PatientID(), work: work, attempts: 0)
    }
}
