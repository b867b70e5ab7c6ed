import Conversation
import Domain
import Evaluation
import Foundation
import Models
import Runtime
import Synchronization
import TestSupport

/// A whole pipeline of which a seed determines every delay and every failure, on a clock that jumps from event to
/// event.
///
/// Its turns come one after another and in bursts, so that breakers open, budgets run out and memory is what was lately
/// known.
struct TurnWorld {
    /// Outcome of a turn.
    struct Told: Equatable, Sendable {
        let said: String
        let reply: String
        let source: ReplySource
        let degraded: [Degradation]
        let alertSent: Bool
        let took: Duration
        /// The stages of its ledger, in the order in which they ended.
        let spans: [Trace.Span]
    }

    /// Outcome of a world.
    struct Outcome: Equatable, Sendable {
        var turns: [Told] = []
        var refusals = 0
        var rests = 0
        /// Messages that are neither in the record nor in the spool.
        var lost = 0
    }

    static let budget = Duration.seconds(5)
    private let seed: UInt64
    private let turns: Int

    init(seed: UInt64, turns: Int) {
        (self.seed, self.turns) = (seed, turns)
    }

    /// Runs it; the same seed comes to the same.
    func run() async -> Outcome {
        let loop = EventLoop()
        defer { loop.stop() }
        return await Task(executorPreference: loop) {
            await answerAll(SimulatedTime(on: loop, date: Date(timeIntervalSince1970: 1_772_000_000)))
        }.value
    }

    private func answerAll(_ time: SimulatedTime) async -> Outcome {
        let patient = Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: .gmt)
        let chance = SeededChance(seed: seed, time: time)
        let records = SeededRecords(patient, chance)
        let (spool, log, metrics) = (InMemorySpool(), MemoryLogSink(), Metrics())
        let models = (0...Int(seed % 3)).map { modelIndex in
            GuardedModel(SeededModel(modelIndex, chance), log: Log(to: log), time: time)
        }
        let jitter = Mutex(SeededGenerator(seed: seed))
        let pipeline = TurnPipeline(
            PipelineDependencies(
                records: records,
                spool: spool,
                delivery: spool,
                recall: SeededRecall(chance),
                screen: ScriptedScreen(),
                policy: ScriptedPolicy(),
                output: ScriptedOutput(),
                composer: ScriptedComposer(),
                models: models,
                replies: .scripted
            ),
            admission: TurnAdmission(AdmissionLimits(patientTurnsPerMinute: 0), metrics: metrics, time: time),
            metrics: TurnMetrics(metrics),
            log: Log(to: log),
            time: time,
            jitter: { jitter.withLock { Double.random(in: 0..<1, using: &$0) } }
        )
        var outcome = Outcome()
        var number = 0
        while number < turns {
            let burst = min(turns - number, chance.burst(number))
            let told = await withTaskGroup(of: (Int, Told?).self) { group in
                for turn in number..<number + burst {
                    group.addTask { (turn, await answer(turn, of: patient, pipeline, time)) }
                }
                return await group.reduce(into: [Int: Told?]()) { $0[$1.0] = $1.1 }
            }
            for turn in number..<number + burst {
                if let known = told[turn] ?? nil { outcome.turns.append(known) } else { outcome.refusals += 1 }
            }
            number += burst
        }
        let kept = Set(records.recorded + spool.writes.compactMap { $0.turn?.text })
        outcome.lost = outcome.turns.count { !kept.contains($0.said) }
        outcome.rests = log.lines.count { $0.event == "model_rests" }
        return outcome
    }

    private func answer(
        _ number: Int,
        of patient: Patient,
        _ pipeline: TurnPipeline,
        _ time: SimulatedTime
    ) async -> Told? {
        let trace = Trace(time: time)
        let text = (number % 7 == 3 ? "I fell" : "good morning") + " \(number)"
        let turn = Turn(
            tenant: patient.tenant,
            patient: patient.id,
            text: text,
            spokenAt: time.date,
            receivedAt: time.date,
            trace: trace
        )
        let deadline = Deadline(after: Self.budget, from: time.now)
        guard let reply = try? await pipeline.answer(turn, by: deadline).reply else { return nil }
        return Told(
            said: text,
            reply: reply.text,
            source: reply.source,
            degraded: reply.degraded,
            alertSent: reply.alertSent,
            took: trace.elapsed,
            spans: trace.spans
        )
    }
}
