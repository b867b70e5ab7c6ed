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
        suite: String = "s",
        counts: String = #"{"pass": 9, "fail": 0, "error": 0, "unmeasured": 0}"#,
        samples: Int = 9,
        at date: String = "2026-03-01T00:00:00Z"
    )
        throws
    {
        let json = """
            {"run": "\(id)", "bundle": "\(bundle)", "verdict": "\(verdict)", "suite": "\(suite)", "finished_at": "\(date)",
             "counts": \(counts), "samples": \(samples), "more": 1}
            """
        try Data(json.utf8).write(to: url.appending(path: id + ".json"))
    }

    private func justification(run: String? = nil) throws(EvalRunFolder.Refusal) -> EvalRun {
        try runs.justification(of: Self.bundle, suite: "s", run: run)
    }

    @Test func `is a run that passed on the same files`() throws {
        try write("one", "passed")
        try write("two", "passed", at: "2026-03-02T00:00:00Z")
        try write("three", "inconclusive", at: "2026-03-03T00:00:00Z")
        #expect(try justification(run: "one").id == "one")
        #expect(try justification(run: nil).id == "two")
    }

    @Test func `is no run that failed, was undecided, or answered with another bundle`() throws {
        let other = String(repeating: "b", count: 64)
        try write("failed", "failed")
        try write("undecided", "inconclusive")
        try write("other", "passed", bundle: other)
        #expect(throws: EvalRunFolder.Refusal.notPassed(id: "failed", .failed)) {
            try justification(run: "failed")
        }
        #expect(throws: EvalRunFolder.Refusal.notPassed(id: "undecided", .inconclusive)) {
            try justification(run: "undecided")
        }
        #expect(throws: EvalRunFolder.Refusal.otherBundle(id: "other", bundle: other)) {
            try justification(run: "other")
        }
        #expect(throws: EvalRunFolder.Refusal.self) { try justification(run: nil) }
    }

    @Test func `is no run of one fixture, nor of more than are asked for`() throws {
        try write("memory", "passed", suite: "memory alone")
        let refusal = EvalRunFolder.Refusal.otherSuite(id: "memory", suite: "memory alone", asked: "s")
        #expect(throws: refusal) { try justification() }
        #expect(throws: refusal) { try justification(run: "memory") }
    }

    @Test(arguments: [
        #"{"pass": 9, "error": 1}"#, #"{"pass": 9, "unmeasured": 1}"#, #"{"pass": 0, "skipped": 9}"#, "null",
    ])
    func `is no run that left something unmeasured, or does not say`(counts: String) throws {
        try write("one", "passed", counts: counts)
        #expect(throws: EvalRunFolder.Refusal.self) { try justification() }
        #expect(throws: EvalRunFolder.Refusal.self) { try justification(run: "one") }
    }

    @Test func `is not outvoted: a failed run stands until a later one, no smaller, has passed`() throws {
        try write("before", "passed", at: "2026-03-01T00:00:00Z")
        try write("bad", "failed", samples: 27, at: "2026-03-02T00:00:00.250Z")
        #expect(throws: EvalRunFolder.Refusal.failed(id: "bad")) { try justification() }
        #expect(throws: EvalRunFolder.Refusal.failed(id: "bad")) { try justification(run: "before") }
        try write("other", "passed", suite: "t", samples: 27, at: "2026-03-02T00:01:00Z")
        try write("smaller", "passed", samples: 9, at: "2026-03-02T00:02:00Z")
        #expect(throws: EvalRunFolder.Refusal.failed(id: "bad")) { try justification() }
        #expect(throws: EvalRunFolder.Refusal.failed(id: "bad")) { try justification(run: "smaller") }
        try write("whole", "passed", samples: 27, at: "2026-03-02T00:03:00Z")
        #expect(try justification().id == "whole")
    }

    @Test func `is not found outside the folder or in a file that is no run`() throws {
        try Data("{}".utf8).write(to: url.appending(path: "odd.json"))
        #expect(throws: EvalRunFolder.Refusal.noRun(id: "none", bundle: "")) {
            try justification(run: "none")
        }
        #expect(throws: EvalRunFolder.Refusal.noRun(id: "../odd", bundle: "")) {
            try justification(run: "../odd")
        }
        #expect(throws: EvalRunFolder.Refusal.self) { try justification(run: "odd") }
    }

    @Test func `is kept in the lock, which reads as it was written`() throws {
        let lock = PromptLock([
            "production": .init(bundle: Self.bundle, run: "run \"1\"", suite: "s"),
            "staging": .init(bundle: Self.bundle, run: "2", suite: nil),
        ])
        #expect(try PromptLock(lock.text) == lock)
        #expect(try PromptLock(PromptLock().text) == PromptLock())
        let demanding = PromptLock(lock.environments, suites: [".", "floor"])
        #expect(try PromptLock(demanding.text) == demanding)
        #expect(throws: YAMLError.self) { try PromptLock("production: {bundle: x, run: y, other: z}") }
    }
}
