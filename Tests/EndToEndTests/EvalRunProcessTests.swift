import Foundation
import Runtime
import Synchronization
import TestSupport
import Testing

/// `hearth evals run` as a process that is killed, interrupted and gone on with, beside a model that waits for the test.
@Suite(.timeLimit(.minutes(5))) struct EvalRunProcessTests {
    /// A suite whose words come from a model, and where its run is written.
    private final class Bench: Sendable {
        let scratch: ScratchFolder
        let server: ScriptedModelServer
        private let gates: Mutex<[Int: ScriptedModelServer.Gate]>

        /// - Parameter held: The requests, counted from 1 over all processes, whose answers wait for the test.
        init(fixtures: Int, held: [Int]) throws {
            let scratch = try ScratchFolder()
            let tests = (1...fixtures).map {
                "  - {id: f\($0), vars: {message: Good morning number \($0)}, assert: [{type: contains, value: lovely}]}"
            }
            try ("tests:\n" + tests.joined(separator: "\n") + "\n").write(
                toFile: scratch.path("suite.yaml"),
                atomically: true,
                encoding: .utf8
            )
            self.scratch = scratch
            let gates = Dictionary(uniqueKeysWithValues: held.map { ($0, ScriptedModelServer.Gate()) })
            self.gates = Mutex(gates)
            let number = Mutex(0)
            server = ScriptedModelServer { _ in
                let request = number.withLock { number in
                    number += 1
                    return number
                }
                guard let gate = gates[request] else { return .reply("Did you sleep well on this lovely morning?") }
                return .held(gate, "Did you sleep well on this lovely morning?")
            }
        }

        var file: String { scratch.path("run.jsonl") }

        func gate(_ request: Int) -> ScriptedModelServer.Gate? { gates.withLock { $0[request] } }

        /// Starts the run, or goes on with it.
        func start(_ watcher: Watcher, goesOn: Bool = false) throws -> ChildProcess {
            let settings = [
                "HEARTH_LLM_URL": server.url, "HEARTH_LLM_MODEL": "scripted",
                "HEARTH_RUNS_FOLDER": scratch.path("runs"),
                "HEARTH_HEDGE_PERCENT": "0",
            ]
            let file = goesOn ? "--resume" : "--run"
            return try watcher.start(
                ["evals", "run", scratch.path("suite.yaml"), "--mode", "live", "-j", "1", "--quiet", file, self.file],
                HearthProcess.environment(scratch.path("state"), settings)
            )
        }

        /// The samples in the run's file by key, and whether a line says how the run ended.
        var samples: [String] {
            get throws {
                try lines.compactMap { line in
                    let sample = JSON(Array(line.utf8))["sample"]
                    return sample["fixture"].text.map { "\($0) \(sample["outcome"].text ?? "")" }
                }
            }
        }

        var ending: String? {
            get throws { try lines.compactMap { JSON(Array($0.utf8))["end"]["reason"].text }.last }
        }

        private var lines: [Substring] {
            get throws { try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") }
        }
    }

    @Test func `a run that is killed again and again is gone on with, and no sample is lost or doubled`() async throws {
        let held = [2, 5, 6, 11]
        let bench = try Bench(fixtures: 12, held: held)
        defer { bench.server.stop() }
        for (part, request) in held.enumerated() {
            let watcher = Watcher()
            let child = try bench.start(watcher, goesOn: part > 0)
            #expect(await bench.gate(request)?.reached() == true, "\(watcher.said.suffix(5))")
            child.send(SIGKILL)
            #expect(await watcher.status() == 128 + SIGKILL)
        }
        let watcher = Watcher()
        _ = try bench.start(watcher, goesOn: true)
        #expect(await watcher.status() == 0, "\(watcher.said.suffix(5))")
        #expect(try bench.samples.sorted() == (1...12).map { "f\($0) pass" }.sorted())
        #expect(try bench.ending == "finished")
        #expect(bench.server.requests.count < 12 + 2 * held.count, "what was taken is not taken again")
    }

    @Test func `a run that is interrupted keeps what it has, ends with 130, and is gone on with`() async throws {
        let count = 300
        let bench = try Bench(fixtures: count, held: [4])
        defer { bench.server.stop() }
        let watcher = Watcher()
        let child = try bench.start(watcher)
        #expect(await bench.gate(4)?.reached() == true, "\(watcher.said.suffix(5))")
        child.send(SIGINT)
        bench.gate(4)?.open()
        #expect(await watcher.status() == 130)
        #expect(watcher.said.contains { $0.hasPrefix("verdict") && $0.hasSuffix("interrupted") }, "\(watcher.said)")
        let kept = try bench.samples
        #expect(kept.count >= 3 && kept.count < count, "\(kept.count)")
        #expect(kept.allSatisfy { $0.hasSuffix(" pass") })
        #expect(try bench.ending == "interrupted")
        let second = Watcher()
        _ = try bench.start(second, goesOn: true)
        #expect(await second.status() == 0, "\(second.said.suffix(5))")
        #expect(try bench.samples.sorted() == (1...count).map { "f\($0) pass" }.sorted())
        #expect(try bench.ending == "finished")
    }

    @Test func `a model that is away is exit 14 and no failed assertion`() async throws {
        let bench = try Bench(fixtures: 3, held: [])
        bench.server.stop()
        let watcher = Watcher()
        _ = try bench.start(watcher)
        #expect(await watcher.status() == 14, "\(watcher.said.suffix(5))")
        #expect(try bench.samples.allSatisfy { $0.hasSuffix(" error") })
    }
}
