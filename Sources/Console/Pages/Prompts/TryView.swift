import Conversation
import Evaluation

/// Form that selects fixtures for a comparison with the active bundle.
struct TryView: Sendable {
    /// Limit on the number of fixtures per comparison.
    static let mostFixtures = 20

    let bundle: ShelvedBundle
    let fixtures: [Fixture]
    /// Name of the live model; empty if none is configured.
    let model: String
    let call: ConsoleCall

    var html: HTML {
        let suites = Dictionary(grouping: fixtures, by: \.suite).sorted { $0.key < $1.key }
        let words: HTML =
            model.isEmpty
            ? "No model is set, so that fixtures that script none are skipped."
            : "Fixtures that script no model are answered by \(model), live."
        let body: HTML = """
            \(suites.map(suite))<div class="buttons"><button type="submit">Put side by side</button></div>
            """
        return """
            <p>Choose up to \(Self.mostFixtures) fixtures. The bundle in force and \
            <a href="\(PromptsPage.path(of: bundle.digest))"><code>\(bundle.version)</code></a> answer each of them, apart from \
            patients' turns. \(words)</p>
            \(call.form(to: PromptsPage.path(of: bundle.digest, "try"), body))
            """
    }

    private func suite(_ name: String, _ fixtures: [Fixture]) -> HTML {
        let boxes = fixtures.map { fixture in
            let mark: HTML = fixture.given.model == nil ? " <span class=\"quiet\">live</span>" : ""
            return """
                <li><label class="box"><input type="checkbox" name="fixture" value="\(fixture.id)"> \(fixture.id)\(mark) \
                <span class="quiet">\(fixture.title)</span></label></li>
                """ as HTML
        }
        return """
            <details class="pack"><summary><b>\(name)</b> <span class="quiet">\(fixtures.count) fixtures</span></summary>\
            <fieldset><legend class="unseen">Fixtures of \(name)</legend><ul class="boxes">\(boxes)</ul></fieldset></details>
            """
    }
}
