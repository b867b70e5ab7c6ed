package import Domain
package import Evaluation
import HTTPServing
import Runtime

/// Eval runs: the list, one run, and the comparison of two.
package struct EvalsPage: ConsolePage {
    package let title: String? = "Evals"
    package let place = "evals"

    private let shelf: RunStore
    private let audit: any AuditTrail
    private let threads = WorkerThreads(name: "runs", count: 1, capacity: 8)

    /// Creates the page.
    ///
    /// - Parameter audit: Audit entries, which keep the names of bundles.
    package init(_ shelf: RunStore, audit: any AuditTrail) {
        self.shelf = shelf
        self.audit = audit
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/evals") { call async throws(ConsoleError) in
                let shelf = shelf
                let entries = try await reading(by: call.deadline) { shelf.entries() }
                return .page(title: "Evals", RunListView(entries: entries).html)
            },
            .get("/evals/compare") { call async throws(ConsoleError) in
                guard let run = call.request.queryValue("run"), let base = call.request.queryValue("base") else {
                    throw .notFound
                }
                return .redirect(Self.path(of: run, against: base))
            },
            .get("/evals/matrix") { call async throws(ConsoleError) in
                let shelf = shelf
                let matrix = try await reading(by: call.deadline) { shelf.matrix() }
                let names = try await BundleNames.read(audit, of: call.tenant, by: call.deadline)
                let view = MatrixView(matrix: matrix, choice: FixtureChoice(call), names: names)
                return .page(title: "Bundles by fixture", view.html)
            },
            .get("/evals/{run}") { call async throws(ConsoleError) in
                let name = call.request.parameters["run"] ?? ""
                let base = call.request.queryValue("base").flatMap { $0.isEmpty ? nil : $0 }
                let isWhole = call.request.queryValue("all") == "1"
                let report = try await report(of: name, against: base, by: call.deadline)
                let view = RunView(
                    report: report,
                    name: name,
                    base: base,
                    isWhole: isWhole,
                    choice: FixtureChoice(call)
                )
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
    ) async throws(ConsoleError) -> RunReport {
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
    ) async throws(ConsoleError) -> Value {
        do throws(WorkerError) {
            return try await threads.run(by: deadline, work)
        } catch {
            throw .unavailable(reason: "runs: \(error)")
        }
    }
}

/// List of eval runs, with a form that compares two of them.
struct RunListView: Sendable {
    let entries: [RunStore.Entry]

    var html: HTML {
        """
        <p class="buttons toolbar"><a class="button plain small" href="\(MatrixView.path)">Bundles by fixture</a></p>\
        \(comparing)<h2>Runs</h2>\(table)
        """
    }

    private var table: HTML {
        var table = Table(
            "Runs, the latest first",
            columns: ["Run", "Verdict", "Passed", "Source", "Bundle", "Started"]
        )
        for entry in entries {
            let bundle: HTML =
                entry.bundle.map { digest in
                    "<a href=\"\(PromptsPage.path(of: digest))\"><code>\(digest.prefix(12))</code></a>"
                } ?? "<span class=\"quiet\">unknown</span>"
            table.add(
                "<a href=\"\(EvalsPage.path(of: entry.name))\">\(entry.name)</a>",
                "\(Self.badge(entry.verdict))\(entry.isPartial ? " <span class=\"quiet\">partial</span>" as HTML : "")",
                "\(entry.passes.successes) of \(entry.passes.count)",
                "\(Wording.say(entry.mode.rawValue))\(entry.model.isEmpty ? "" : ", \(entry.model)")",
                bundle,
                Figure.time(entry.startedAt)
            )
        }
        return table.html(
            ifEmpty: "No runs yet. Open a bundle under Prompts and choose “Run all evals”, or use hearth evals run."
        )
    }

    private var comparing: HTML {
        guard entries.count > 1 else { return "" }
        let options = entries.map { "<option>\($0.name)</option>" as HTML }
        let later = options.joined
        let earlier = (options.dropFirst() + options.prefix(1)).map { $0 }.joined
        return """
            <section class="panel"><h2>Compare two runs</h2><form action="\(ConsolePath("evals", "compare"))">\
            <div class="buttons"><div class="field"><label for="run">Run</label><select id="run" name="run">\(later)</select>\
            </div><div class="field"><label for="base">against</label><select id="base" name="base">\(earlier)</select></div>\
            <button type="submit">Compare</button></div></form></section>
            """
    }

    /// Badge of a verdict.
    static func badge(_ verdict: String) -> HTML {
        switch verdict {
        case "passed", "ok", "improved": Badge(verdict, .good).html
        case "failed", "regressed": Badge(verdict, .danger).html
        default: Badge(verdict, .warning).html
        }
    }
}
