import Foundation
import Testing
import YAML

@testable import Prompts

@Suite struct `What justifies a promotion` {
    private static let bundle = String(repeating: "a", count: 64)
    private let url = FileManager.default.temporaryDirectory.appending(path: "runs-\(UUID())")
    private var runs: EvalRunFolder { EvalRunFolder(url) }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    private func write(
        _ id: String,
        _ verdict: String,
        bundle: String = Self.bundle,
        at date: String = "2026-03-01T00:00:00Z"
    )
        throws
    {
        let json = """
            {"run": "\(id)", "bundle": "\(bundle)", "verdict": "\(verdict)", "suite": "s", "finished_at": "\(date)", "more": 1}
            """
        try Data(json.utf8).write(to: url.appending(path: id + ".json"))
    }

    @Test func `is a run that passed on the same files`() throws {
        try write("one", "passed")
        try write("two", "passed", at: "2026-03-02T00:00:00Z")
        try write("three", "failed", at: "2026-03-03T00:00:00Z")
        #expect(try runs.justification(of: Self.bundle, run: "one").id == "one")
        #expect(try runs.justification(of: Self.bundle, run: nil).id == "two")
    }

    @Test func `is no run that failed, was undecided, or answered with another bundle`() throws {
        let other = String(repeating: "b", count: 64)
        try write("failed", "failed")
        try write("undecided", "inconclusive")
        try write("other", "passed", bundle: other)
        #expect(throws: EvalRunFolder.Refusal.notPassed(id: "failed", .failed)) {
            try runs.justification(of: Self.bundle, run: "failed")
        }
        #expect(throws: EvalRunFolder.Refusal.notPassed(id: "undecided", .inconclusive)) {
            try runs.justification(of: Self.bundle, run: "undecided")
        }
        #expect(throws: EvalRunFolder.Refusal.otherBundle(id: "other", bundle: other)) {
            try runs.justification(of: Self.bundle, run: "other")
        }
        #expect(throws: EvalRunFolder.Refusal.self) { try runs.justification(of: Self.bundle, run: nil) }
    }

    @Test func `is not found outside the folder or in a file that is no run`() throws {
        try Data("{}".utf8).write(to: url.appending(path: "odd.json"))
        #expect(throws: EvalRunFolder.Refusal.noRun(id: "none", bundle: "")) {
            try runs.justification(of: Self.bundle, run: "none")
        }
        #expect(throws: EvalRunFolder.Refusal.noRun(id: "../odd", bundle: "")) {
            try runs.justification(of: Self.bundle, run: "../odd")
        }
        #expect(throws: EvalRunFolder.Refusal.self) { try runs.justification(of: Self.bundle, run: "odd") }
    }

    @Test func `is kept in the lock, which reads as it was written`() throws {
        let lock = PromptLock([
            "production": .init(bundle: Self.bundle, run: "run \"1\"", suite: "s"),
            "staging": .init(bundle: Self.bundle, run: "2", suite: nil),
        ])
        #expect(try PromptLock(lock.text) == lock)
        #expect(try PromptLock(PromptLock().text) == PromptLock())
        #expect(throws: YAMLError.self) { try PromptLock("production: {bundle: x, run: y, other: z}") }
    }
}
