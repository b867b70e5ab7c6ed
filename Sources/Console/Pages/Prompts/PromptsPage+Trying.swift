import Conversation
import Cryptography
import Evaluation
import Foundation
import HTTPServing
import Prompts
import Runtime

/// Bench routes: compare a bundle with the active one on some fixtures, and run all evals on it.
extension PromptsPage {
    private static let readingTime = Duration.seconds(4)

    var trying: [ConsoleRoute] {
        [
            .get("/prompts/bundles/{bundle}/try", .operator) { call async throws(ConsoleRefusal) in
                let view = TryView(
                    bundle: try await bundle(call),
                    fixtures: try await fixtures(),
                    model: parts.supplies.modelName,
                    call: call
                )
                return .page(title: "Try side by side", view.html)
            },
            .post("/prompts/bundles/{bundle}/try", .operator, action: "bundle_try", compare),
            .post("/prompts/bundles/{bundle}/evaluate", .operator, action: "bundle_evaluate", evaluate),
            .get("/prompts/bench/{id}", isUse: false) { call async throws(ConsoleRefusal) in
                let id = call.request.parameters["id"] ?? ""
                let current = parts.bench.current
                let view = BenchView(
                    progress: current?.id == id ? current : nil,
                    outcome: parts.bench.outcome(of: id),
                    price: parts.supplies.price
                )
                let title = view.isRunning ? "Running" : "On the bench"
                return .page(title: title, view.html, scripts: view.isRunning ? [.bench] : [])
            },
        ]
    }

    private func fixtures() async throws(ConsoleRefusal) -> [Fixture] {
        let read = parts.supplies.fixtures
        let result: Result<[Fixture], FixtureError>
        do throws(WorkerError) {
            result = try await threads.run(by: Deadline(after: Self.readingTime)) {
                Result { () throws(FixtureError) in try read() }
            }
        } catch {
            throw .unavailable(reason: "fixtures: \(error)")
        }
        do throws(FixtureError) {
            return try result.get()
        } catch {
            throw .conflict("The fixtures cannot be read: \(error)")
        }
    }

    private func loaded(_ bundle: ShelvedBundle) async throws(ConsoleRefusal) -> LoadedBundle {
        try await asked { () async throws(ReleaseRefusal) in try await parts.desk.made(bundle.files) }
    }

    private func compare(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let wanted = Set(call.form.all("fixture"))
        guard wanted.count <= TryView.mostFixtures else {
            throw .conflict("\(wanted.count) fixtures are chosen, and \(TryView.mostFixtures) are tried at most.")
        }
        let bundle = try await bundle(call)
        let chosen = try await fixtures().filter { wanted.contains($0.id) }
        let mode: RunMode = parts.supplies.models.isEmpty ? .scripted : .live
        let work = BenchWork.sideBySide(
            chosen,
            old: parts.supplies.parts(of: parts.bundles.loaded.turn),
            new: parts.supplies.parts(of: try await loaded(bundle).turn),
            mode: mode
        )
        return try begin(work)
    }

    private func evaluate(_ call: ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer {
        let bundle = try await bundle(call)
        let isLive = call.form["mode"] == RunMode.live.rawValue
        guard !isLive || !parts.supplies.models.isEmpty else {
            throw .conflict("No model is set, so that nothing can be asked live.")
        }
        let run = BenchRun(
            try await fixtures(),
            parts.supplies.parts(of: try await loaded(bundle).turn),
            mode: isLive ? .live : .scripted,
            bundle: bundle.digest,
            components: Self.components(of: bundle),
            model: isLive ? parts.supplies.modelName : "",
            folder: parts.supplies.runsFolder
        )
        return try begin(.run(run))
    }

    private func begin(_ work: BenchWork) throws(ConsoleRefusal) -> ConsoleAnswer {
        do throws(BenchRefusal) {
            return .redirect(ConsolePath("prompts", "bench", try parts.bench.begin(work)))
        } catch {
            throw .conflict("\(error)")
        }
    }

    /// Digests of every file that could change answers, named as in `hearth evals run`.
    private static func components(of bundle: ShelvedBundle) -> [String: String] {
        let files = bundle.files.filter { $0.path.hasSuffix(PromptFileName.suffix) || $0.path.hasSuffix(".yaml") }
        let digests = files.map { ("prompts/\($0.path)", Digest.sha256($0.bytes).hex) }
        return Dictionary(digests) { first, _ in first }.merging([RunHeader.bundleComponent: bundle.digest]) { $1 }
    }
}
