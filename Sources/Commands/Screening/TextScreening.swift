import Conversation
import Domain
import Foundation
import Recall
import Runtime
import Safety

/// The screens without a service: texts in, verdicts out.
struct TextScreening: Sendable {
    /// Number of texts that are embedded together.
    static let window = 32

    private static let loadTime = Duration.seconds(20)
    private static let embeddingTime = Duration.seconds(60)

    private let safety: SafetyAssembly
    private let engine: EmbeddingEngine?

    /// Loads rules and detectors and, if vectors are needed, the embedding engine.
    static func make(_ settings: Settings, vectors: Bool) async throws(CommandFailure) -> TextScreening {
        let log = Log(to: StandardErrorSink(), minimum: .warning)
        let safety = try SafetyAssembly.make(
            settings,
            space: vectors ? E5Space.reading : nil,
            log: log
        )
        guard safety.readiness.state == .ready else {
            let detail = safety.readiness.detail
            throw CommandFailure("Not every rule is loaded, so nothing is screened. \(detail)", .missing)
        }
        guard vectors else { return TextScreening(safety: safety, engine: nil) }
        return TextScreening(safety: safety, engine: try await engine(settings))
    }

    /// Loads the local embedding engine on all cores.
    static func engine(_ settings: Settings) async throws(CommandFailure) -> EmbeddingEngine {
        let files = EmbeddingSettings(
            folder: settings.folder(.dependenciesFolder) + "/e5",
            threads: ProcessInfo.processInfo.activeProcessorCount
        )
        do throws(EmbeddingError) {
            return try await EmbeddingEngine.load(files, by: Deadline(after: loadTime))
        } catch {
            throw CommandFailure("\(error) Or screen with --no-vectors.", .missing)
        }
    }

    /// Embeds texts in order; nil for a text that could not be embedded.
    static func vectors(of texts: [String], _ engine: EmbeddingEngine) async -> [[Float]?] {
        await withTaskGroup(of: (Int, [Float]?).self) { group in
            for (place, text) in texts.enumerated() {
                group.addTask {
                    (place, try? await engine.encoding(of: text, by: Deadline(after: embeddingTime)).reading)
                }
            }
            var vectors = [[Float]?](repeating: nil, count: texts.count)
            for await (place, vector) in group { vectors[place] = vector }
            return vectors
        }
    }

    /// Screens named texts in order.
    func verdicts(of texts: [(id: String, text: String)], explains: Bool) async -> [ScreenVerdict] {
        var verdicts: [ScreenVerdict] = []
        var rest = texts[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.window))
            rest = rest.dropFirst(some.count)
            guard let engine else {
                verdicts += some.map { verdict(on: $0, vector: [], explains: explains) }
                continue
            }
            for (text, vector) in zip(some, await Self.vectors(of: some.map(\.text), engine)) {
                verdicts.append(verdict(on: text, vector: vector, explains: explains))
            }
        }
        return verdicts
    }

    /// - Parameter vector: Embedding of the text; empty if not wanted, nil if it could not be computed.
    private func verdict(
        on text: (id: String, text: String),
        vector: [Float]?,
        explains: Bool
    ) -> ScreenVerdict {
        let now = Date()
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: text.text, spokenAt: now, receivedAt: now)
        let found = safety.screen.screen(text.text)
        let screening = found.merged(with: safety.screen.screen(vector: vector ?? [], of: text.text, after: found))
            .merged(with: Screening(failures: vector == nil ? ["detector: no vector"] : []))
            .settled(awaitingModel: false)
        let decision = safety.policy.decide(turn, Screening(), memory: nil, at: now)
        let output = safety.output.screen(text.text, vector: vector ?? [], answering: turn, decision, in: .open)
        return ScreenVerdict(
            id: text.id,
            screening,
            output,
            mostProbableHarm: safety.output.mostProbableHarm(of: text.text, vector: vector ?? []),
            account: explains ? safety.screen.account(of: text.text, vector: vector) : nil,
            explains: explains
        )
    }
}
