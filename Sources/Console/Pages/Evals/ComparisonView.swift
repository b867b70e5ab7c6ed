import Evaluation

/// Comparison of a run with its base: measures, power, and each flip with both replies side by side.
struct ComparisonView: Sendable {
    let report: RunReport

    var html: HTML {
        guard let comparison = report.comparison else { return "" }
        var table = Table(
            "Measures of the base and of the run",
            columns: ["Measure", "Base", "Run", "Difference, 95 %", "Chance of such a drop"]
        )
        for change in comparison.measures {
            table.add(
                "\(change.name)\(change.isAdvisory ? " (told, not judged)" : "")",
                "\(Figures.percent(change.base))",
                "\(Figures.percent(change.candidate))",
                "\(Figures.change(change))",
                "\(Figures.chance(change.dropChance))"
            )
        }
        let power =
            comparison.smallestVisibleDrop.map { "a drop of \(RunComparison.points($0))" } ?? "no drop of any size"
        let flips = comparison.flips.map(flip)
        return """
            <h2>Against the base</h2>\(table.html(ifEmpty: "Nothing could be judged in both runs."))
            <p>\(comparison.count) conversations show \(power) in four of five cases.</p>
            <h2>Flips <span class="count">\(comparison.flips.count)</span></h2>
            \(flips.isEmpty ? "<p class=\"quiet\">No fixture came to something else.</p>" : flips.joined)
            """
    }

    private func flip(_ flip: RunComparison.Flip) -> HTML {
        let old = report.baseDetails?.samples[flip.fixture]
        let new = report.details.samples[flip.fixture]
        return """
            <details class="fixture"><summary><b>\(flip.fixture)</b> <span class="quiet">\(flip.severity.rawValue)</span> \
            \(RunListView.outcome(flip.base)) → \(RunListView.outcome(flip.candidate))</summary>\
            <div class="panels"><section class="panel"><h3>Base</h3>\(side(old))</section>\
            <section class="panel"><h3>Run</h3>\(side(new))</section></div></details>
            """
    }

    private func side(_ sample: SampleRecord?) -> HTML {
        sample.map { SampleView(sample: $0).html } ?? "<p>never taken</p>"
    }
}
