import Conversation
package import Evaluation
import HTTPServing
import Runtime

/// Eval runs: the list, one run, and the comparison of two.
package struct EvalsPage: ConsolePage {
    package let title: String? = "Evals"
    package let place = "evals"

    private let shelf: RunShelf
    private let threads = WorkerThreads(name: "runs", count: 1, capacity: 8)

    package init(_ shelf: RunShelf) {
        self.shelf = shelf
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/evals") { call async throws(ConsoleRefusal) in
                let shelf = shelf
                let entries = try await reading(by: call.deadline) { shelf.entries() }
                return .page(title: "Evals", RunListView(entries: entries).html)
            },
            .get("/evals/compare") { call async throws(ConsoleRefusal) in
                guard let run = call.request.queryValue("run"), let base = call.request.queryValue("base") else {
                    throw .notFound
                }
                return .redirect(Self.path(of: run, against: base))
            },
            .get("/evals/{run}") { call async throws(ConsoleRefusal) in
                let name = call.request.parameters["run"] ?? ""
                let base = call.request.queryValue("base").flatMap { $0.isEmpty ? nil : $0 }
                let isWhole = call.request.queryValue("all") != nil
                let report = try await report(of: name, against: base, by: call.deadline)
                let view = RunView(report: report, name: name, base: base, isWhole: isWhole)
                return .page(title: base == nil ? "Run \(name)" : "\(name) against \(base ?? "")", view.html)
            },
        ]
    }

    /// Address of a run, or of its comparison with a base.
    static func path(of run: String, against base: String? = nil, isWhole: Bool = false) -> ConsolePath {
        switch (base, isWhole) {
        case (let base?, true): ConsolePath("evals", run, query: ["base": base, "all": "1"])
        case (let base?, false): ConsolePath("evals", run, query: ["base": base])
        case (nil, true): ConsolePath("evals", run, query: ["all": "1"])
        case (nil, false): ConsolePath("evals", run)
        }
    }

    private func report(
        of name: String,
        against base: String?,
        by deadline: Deadline
    ) async throws(ConsoleRefusal) -> RunReport {
        let shelf = shelf
        let result = try await reading(by: deadline) {
            Result { () throws(RunFileError) in try shelf.report(of: name, against: base) }
        }
        do throws(RunFileError) {
            if let report = try result.get() { return report }
        } catch {
            throw .conflict("The run's file cannot be read: \(error).")
        }
        throw .notFound
    }

    private func reading<Value: Sendable>(
        by deadline: Deadline,
        _ work: @escaping @Sendable () -> Value
    ) async throws(ConsoleRefusal) -> Value {
        do throws(WorkerError) {
            return try await threads.run(by: deadline, work)
        } catch {
            throw .unavailable(reason: "runs: \(error)")
        }
    }
}
