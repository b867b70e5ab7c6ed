import Evaluation
import Foundation

/// Filter of fixtures by suite, severity and a part of the name; it lives in the address.
struct FixtureChoice: Sendable {
    let suite: String
    let severity: String
    let text: String

    init(_ call: ConsoleRequestContext) {
        suite = call.query("suite") ?? ""
        severity = call.query("severity") ?? ""
        text = String((call.query("q") ?? "").prefix(100))
    }

    /// True if nothing is left out.
    var isEmpty: Bool { suite.isEmpty && severity.isEmpty && text.isEmpty }

    /// True if a fixture is chosen.
    func admits(_ fixture: String, suite: String, severity: Fixture.Severity) -> Bool {
        (self.suite.isEmpty || self.suite == suite) && (self.severity.isEmpty || self.severity == severity.rawValue)
            && (text.isEmpty || fixture.localizedCaseInsensitiveContains(text))
    }

    /// The form of the filter.
    ///
    /// - Parameter kept: Other parameters of the address, sent along.
    func form(to path: ConsolePath, suites: [String], kept: KeyValuePairs<String, String> = [:]) -> HTML {
        let hidden = kept.map { "<input type=\"hidden\" name=\"\($0.key)\" value=\"\($0.value)\">" as HTML }
        let severities = [("", "any severity")] + Fixture.Severity.allCases.map { ($0.rawValue, $0.rawValue) }
        let all = [("", "every suite")] + suites.map { ($0, $0) }
        return """
            <form method="get" action="\(path)" class="filters buttons" role="search">\(hidden)\
            \(Field("q", "Fixture", value: text, mostCharacters: 100).html)\
            \(Field("suite", "Suite", .choice(all), value: suite).html)\
            \(Field("severity", "Severity", .choice(severities), value: severity).html)\
            <button type="submit" class="plain">Filter</button></form>
            """
    }
}
