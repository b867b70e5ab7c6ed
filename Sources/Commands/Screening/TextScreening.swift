import Conversation
import Foundation
import Recall
import Runtime
import Safety

/// The screens without a service around them: texts in, verdicts out.
struct TextScreening: Sendable {
    /// How many texts are embedded together.
    static let window = 32

    private static let loadTime = Duration.seconds(20)
    private static let embeddingTime = Duration.seconds(60)

    private let safety: SafetyParts
    private let engine: EmbeddingEngine?

    /// Loads the rules and, unless they are not wanted, the exemplars with the engine that makes vectors.
    static func make(_ settings: Settings, exemplars: Bool) async throws(CommandFailure) -> TextScreening {
        let log = Log(to: StandardErrorSink(), minimum: .warning)
        let safety = try SafetyParts.make(
            settings,
            space: exemplars ? E5Space.name : nil,
            log: log
        )
        guard safety.readiness.state == .ready else {
            let detail = safety.readiness.detail
            throw CommandFailure("Not every rule is in force, so nothing is screened. \(detail)", .missing)
        }
        guard exemplars else { return TextScreening(safety: safety, engine: nil) }
        return TextScreening(safety: safety, engine: try await engine(settings))
    }

    /// The local engine on every core.
    static func engine(_ settings: Settings) async throws(CommandFailure) -> EmbeddingEngine {
        let files = EmbeddingSettings(
            folder: settings.folder(.dependenciesFolder) + "/e5",
            threads: ProcessInfo.processInfo.activeProcessorCount
        )
        do throws(EmbeddingError) {
            return try await EmbeddingEngine.load(files, by: Deadline(after: loadTime))
        } catch {
            throw CommandFailure("\(error) Or screen with --no-exemplars.", .missing)
        }
    }

    /// The vectors of texts, in their order; nil for those that could not be embedded.
    static func vectors(of texts: [String], _ engine: EmbeddingEngine) async -> [[Float]?] {
        await withTaskGroup(of: (Int, [Float]?).self) { group in
            for (place, text) in texts.enumerated() {
                group.addTask { (place, try? await engine.vector(of: text, by: Deadline(after: embeddingTime))) }
            }
            var vectors = [[Float]?](repeating: nil, count: texts.count)
            for await (place, vector) in group { vectors[place] = vector }
            return vectors
        }
    }

    /// The verdicts on texts with their names, in their order.
    func verdicts(of texts: [(id: String, text: String)], explains: Bool) async -> [ScreenVerdict] {
        var verdicts: [ScreenVerdict] = []
        var rest = texts[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.window))
            rest = rest.dropFirst(some.count)
            guard let engine else {
                verdicts += some.map { verdict(on: $0, Screening(), nil, vector: nil, explains: explains) }
                continue
            }
            for (text, vector) in zip(some, await Self.vectors(of: some.map(\.text), engine)) {
                verdicts.append(verdict(on: text, vector, explains: explains))
            }
        }
        return verdicts
    }

    private func verdict(on text: (id: String, text: String), _ vector: [Float]?, explains: Bool) -> ScreenVerdict {
        guard let vector else {
            let failed = Screening(failures: ["exemplars: no vector"])
            return verdict(on: text, failed, nil, vector: nil, explains: explains)
        }
        let heard = safety.screen.screen(vector: vector, of: text.text)
        let suspicion = explains ? safety.screen.suspicion(of: vector) : nil
        return verdict(on: text, heard, suspicion, vector: vector, explains: explains)
    }

    private func verdict(
        on text: (id: String, text: String),
        _ heard: Screening,
        _ suspicion: Suspicion?,
        vector: [Float]?,
        explains: Bool
    ) -> ScreenVerdict {
        let now = Date()
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: text.text, spokenAt: now, receivedAt: now)
        let screening = safety.screen.screen(text.text).merged(with: heard)
        let decision = safety.policy.decide(turn, screening, memory: nil, at: now)
        var output = safety.output.screen(
            text.text,
            answering: turn,
            decision,
            in: .strict(reason: .untested)
        )
        switch output {
        case .pass, .rewrite: if let vector { output = weighed(text.text, vector, or: output) }
        case .drop, .end, .replace: break
        }
        let account = explains ? safety.screen.account(of: text.text, vector: vector) : nil
        return ScreenVerdict(
            id: text.id,
            screening,
            output,
            suspicion: suspicion,
            account: account,
            explains: explains
        )
    }

    /// What the vector makes of a sentence that its words let pass.
    private func weighed(_ sentence: String, _ vector: [Float], or verdict: OutputVerdict) -> OutputVerdict {
        let heard = safety.output.screen(sentence, vector: vector)
        return heard == .pass ? verdict : heard
    }
}
