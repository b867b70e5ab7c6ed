import Evaluation
import Foundation
import TestSupport
import Testing

/// The suites that come with the project hold, with the rules, lines and prompts that come with it.
@Suite(.timeLimit(.minutes(2))) struct ShippedSuitesTests {
    private static let folder = ShippedParts.root.appending(path: "evals").path

    @Test func `at least 400 cases are shipped, and all that script their model pass`() async throws {
        let fixtures = try SuiteFiles().fixtures([Self.folder])
        #expect(fixtures.count >= 400)
        let (summary, samples, _) = try await ShippedParts.run(fixtures, in: ScratchFolder())
        let wrong = samples.filter { $0.outcome != .pass && $0.outcome != .skipped }
        #expect(wrong.isEmpty, "\(wrong.map { "\($0.fixture): \($0.reason)" })")
        #expect(summary.tally.passes.count >= 400)
    }

    @Test func `each suite that the issue names is there`() throws {
        let suites = Set(try SuiteFiles().fixtures([Self.folder]).map(\.suite))
        #expect(
            suites.isSuperset(of: [
                "conversation", "memory", "scam", "safety", "alerts", "records", "spanish", "adversarial", "faults",
            ])
        )
    }

    @Test func `what is known to be wrong is still wrong, or belongs back into its suite`() async throws {
        let fixtures = try SuiteFiles().fixtures([Self.folder + "/known-defects"])
        let (_, samples, _) = try await ShippedParts.run(fixtures, in: ScratchFolder())
        let mended = samples.filter { $0.outcome == .pass }.map(\.fixture)
        #expect(mended.isEmpty, "these pass now: \(mended)")
    }
}
