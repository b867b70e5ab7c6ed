import Conversation
import Foundation
import HTTPClient
import Models
import Runtime
import Testing

/// The floor with the real local model; run by `make floor`, which takes some minutes.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["HEARTH_FLOOR_MODEL"] != nil))
struct LocalModelTests {
    @Test(.timeLimit(.minutes(20)))
    func `the local model gets nothing unsafe past the floor`() async throws {
        let turns = try FloorTurns.shipped.get()
        let judge = FloorJudge(turns: turns)
        let pipeline = try await FloorPipeline.load()
        try await LocalModel.run { model in
            for turn in turns.turns {
                let outcome = try await pipeline.answer(turn.text, in: turn.language, by: model)
                let faults = judge.faults(in: outcome.reply.text, to: turn.kind)
                #expect(faults.isEmpty, "\(turn.testDescription) -> \(outcome.reply.text)")
                let missing = judge.missing(outcome.alerts, for: turn)
                #expect(missing == nil, "\(turn.testDescription): \(missing ?? "")")
                let source = outcome.reply.source.rawValue
                print("\(turn.kind)\t\(source)\t\(turn.text)\t\(outcome.reply.text)")
            }
        }
    }
}

/// The model that set-up brings, running while a test asks it.
private enum LocalModel {
    static func run(_ body: (any LanguageModel) async throws -> Void) async throws {
        let root = FloorPipeline.root
        let log = Log(to: MemoryLogSink())
        let file = ProcessInfo.processInfo.environment["HEARTH_FLOOR_MODEL"] ?? ""
        let settings = LocalModelSettings(
            script: root + "/scripts/model-server.py",
            engine: root + "/.deps/llama",
            model: file.hasPrefix("/") ? file : root + "/" + file,
            slots: 1
        )
        let server = LocalModelServer(settings, log: log)
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops)
        let model = HostedModel(named: "local", over: client) {
            server.address.map { .init(base: $0 + "/v1", model: "local", key: nil, dialect: .openAI) }
        }
        let group = ServiceGroup([client, server], drainTime: .seconds(10), log: log)
        var failure: (any Error)?
        try await group.run(interruptedBy: { await OneShot<Void>().value(ifCancelled: ()) }) {
            do { try await body(model) } catch { failure = error }
        }
        loops.stop()
        if let failure { throw failure }
    }
}
