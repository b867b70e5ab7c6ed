import Domain
import Evaluation

/// Bundles across, fixtures down: what each bundle's latest run found.
struct MatrixView: Sendable {
    private static let maximumRows = 300

    let matrix: RunMatrix
    let choice: FixtureChoice
    let names: BundleNames

    static let path = ConsolePath("evals", "matrix")

    private var chosen: [RunMatrix.Row] {
        matrix.rows.filter { choice.admits($0.fixture, suite: $0.suite, severity: $0.severity) }
    }

    var html: HTML {
        guard matrix.runs.count > 1 else {
            return """
                <div class="empty"><b>Nothing to lay side by side</b>Runs of at least two bundles are needed. Open a bundle under \
                Prompts and choose “Run all evals”.</div>
                """
        }
        let suites = Set(matrix.rows.map(\.suite)).sorted()
        return "\(choice.form(to: Self.path, suites: suites))\(summary)\(table)"
    }

    private var summary: HTML {
        let flips = chosen.count(where: \.isFlip)
        let left = chosen.count - Self.maximumRows
        let more: HTML = left > 0 ? " \(left) more are left out; filter to see them." : ""
        return """
            <p>\(flips) of \(Figure.count(chosen.count, "fixture")) pass on some bundles and fail on others; they come \
            first.\(more)</p>
            """
    }

    private var table: HTML {
        guard !chosen.isEmpty else { return "<p class=\"quiet\">No fixture matches the filter.</p>" }
        let heads = matrix.runs.map { run in
            """
            <th scope="col"><a href="\(EvalsPage.path(of: run.name))">\(run.bundle.map(names.name) ?? run.name)</a>\
            <span class="took">\(run.passes.successes) of \(run.passes.count) · \(Wording.say(run.mode.rawValue))</span></th>
            """ as HTML
        }
        let rows = chosen.prefix(Self.maximumRows).map { row in
            let mark: HTML = row.isFlip ? " class=\"flip\"" : ""
            return """
                <tr\(mark)><th scope="row">\(row.fixture)<span class="took">\(row.suite) · \(row.severity.rawValue)</span></th>\
                \(zip(matrix.runs, row.outcomes).map { cell($1, of: row.fixture, in: $0.name) })</tr>
                """ as HTML
        }
        return """
            <div class="scroll" role="region" aria-label="Fixtures by bundle" tabindex="0"><table class="matrix">\
            <caption>Latest run of each bundle, the newest on the left</caption>\
            <thead><tr><th scope="col">Fixture</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private func cell(_ outcome: SampleRecord.Outcome?, of fixture: String, in run: String) -> HTML {
        guard let outcome else { return "<td><span class=\"quiet\">not run</span></td>" }
        let path = ConsolePath("evals", run, query: ["all": "1", "q": fixture])
        return "<td><a href=\"\(path)\">\(RunListView.outcome(outcome))</a></td>"
    }
}
