import Evaluation
import Foundation
import Runtime

/// `hearth evals bisect`: finds the component that changed the outcome of fixtures between two runs.
///
/// It prints the components that differ. Given the good run's prompts folder, it also replaces one differing file at a
/// time and repeats the changed fixtures. The file after which they pass is the cause.
struct EvalsBisection: Sendable {
    private let arguments: EvalsArguments
    private let settings: Settings

    init(_ arguments: EvalsArguments, _ settings: Settings) {
        self.arguments = arguments
        self.settings = settings
    }

    func perform() async throws(CommandFailure) -> ExitCode {
        let good = try RunReading.summary(arguments.word(0, "the good run's file and the bad one's"))
        let bad = try RunReading.summary(arguments.word(1, "the good run's file and the bad one's"))
        let turned = good.tally.entries.values
            .filter { $0.outcome == .pass && bad.tally.entries[$0.fixture]?.outcome == .fail }
            .map(\.fixture).sorted()
        let differing = differing(good.header, bad.header)
        Terminal.out("turned     \(turned.isEmpty ? "none" : turned.joined(separator: " "))")
        Terminal.out("differs    \(differing.isEmpty ? "nothing" : differing.joined(separator: " "))")
        guard !turned.isEmpty, let folder = arguments.text("good-prompts") else { return .success }
        for name in differing where name.hasPrefix("prompts/") {
            let passed = try await passes(turned, with: name, from: folder)
            Terminal.out("\(name): with the good one, \(passed) of \(turned.count) pass again")
        }
        return .success
    }

    private func differing(_ good: RunHeader, _ bad: RunHeader) -> [String] {
        var names = Set(good.components.keys).union(bad.components.keys)
            .filter { good.components[$0] != bad.components[$0] }
        if good.model != bad.model { names.insert("model") }
        if good.mode != bad.mode { names.insert("mode") }
        return names.sorted()
    }

    /// Number of fixtures that pass when one file is taken from the good run's prompts.
    private func passes(
        _ fixtures: [String],
        with name: String,
        from folder: String
    ) async throws(CommandFailure) -> Int {
        let files = FileManager.default
        let scratch = files.temporaryDirectory.appending(path: "hearth-bisect-\(UUID().uuidString)").path
        defer { try? files.removeItem(atPath: scratch) }
        let file = String(name.dropFirst("prompts/".count))
        do {
            try files.copyItem(atPath: settings.folder(.promptsFolder), toPath: scratch)
            try? files.removeItem(atPath: "\(scratch)/\(file)")
            if files.fileExists(atPath: "\(folder)/\(file)") {
                try files.copyItem(atPath: "\(folder)/\(file)", toPath: "\(scratch)/\(file)")
            }
        } catch {
            throw CommandFailure("The prompts cannot be put together: \(error)", .infrastructure)
        }
        let swapped = try Settings.current([SettingKey.promptsFolder.rawValue: scratch])
        let all = try FixtureSelection.all(Array(arguments.words.dropFirst(2)), settings)
        let chosen = FixtureFilter(identities: Set(fixtures)).chosen(all)
        let loops = EventLoopGroup(count: settings.loopCount)
        defer { loops.stop() }
        let cassettes = arguments.text("cassettes") ?? "evals/cassettes"
        let setting = try EvaluationSetting.make(swapped, mode: .replay, cassettes: cassettes, on: loops)
        do throws(RunFileError) {
            let log = try RunLog(path: "\(scratch)/run.jsonl")
            let run = EvaluationRun(chosen, setting.parts, mode: .replay, log: log)
            return try await run.run(on: loops).0.outcomes[.pass] ?? 0
        } catch {
            throw CommandFailure("The fixtures could not be taken: \(error)", .infrastructure)
        }
    }
}
