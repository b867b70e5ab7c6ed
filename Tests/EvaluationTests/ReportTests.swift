import Foundation
import Runtime
import TestSupport
import Testing

@testable import Evaluation

@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private func report() async throws -> RunReport {
        let fixtures = try ShippedParts.suite(
            """
            suite: reports
            tests:
              - {id: "passes", given: {model: How nice.}, vars: {message: Hello}, assert: [{type: contains, value: nice}]}
              - {id: "</script><b>fails & \\"quotes\\"", given: {model: How nice.}, vars: {message: "=1+1 <img src=x>"}, assert: [{type: contains, value: "a|b ]]>"}]}
              - {id: unmeasured, given: {model: How nice.}, vars: {message: Hello}, assert: [{type: cost, threshold: 1}]}
              - {id: skipped, skip: not today, given: {model: How nice.}, vars: {message: Hello}, assert: [{type: contains, value: nice}]}
            """
        )
        let folder = try ScratchFolder()
        let (summary, _, path) = try await ShippedParts.run(fixtures, in: folder)
        defer { withExtendedLifetime(folder) {} }
        return RunReport(
            run: summary,
            details: try RunDetails(RunFile(path)),
            findings: RunGate().findings(of: summary.tally, summary.end),
            comparison: RunComparison(base: summary, candidate: summary),
            baseDetails: try RunDetails(RunFile(path))
        )
    }

    @Test(arguments: [
        ("a.json", ReportFormat.json), ("a.jsonl", .jsonl), ("a.junit.xml", .junit), ("a.md", .markdown),
        ("a.csv", .csv),
        ("a.b.html", .html),
    ])
    func `a report's form is told by its suffix`(path: String, format: ReportFormat) {
        #expect(ReportFormat(path: path) == format)
        for wrong in ["a.xml", "a", "json", "a.txt", "a.json.gz"] { #expect(ReportFormat(path: wrong) == nil) }
    }

    @Test func `JUnit tells failures, errors and what was not measured apart, and is well formed`() async throws {
        let text = ReportFormat.junit.text(of: try await report())
        #expect(text.contains("tests=\"4\" failures=\"1\" errors=\"0\""))
        #expect(text.contains("skipped=\"2\"") && text.contains("unmeasured: "))
        let parser = XMLWellFormedness(text)
        #expect(parser.isWellFormed, "\(text)")
    }

    @Test func `the page holds no mark-up that came from a fixture, and loads nothing`() async throws {
        let text = ReportFormat.html.text(of: try await report())
        #expect(!text.contains("<img") && !text.contains("</script><b>"))
        #expect(text.components(separatedBy: "</script>").count == 2)
        for loads in ["http://", "https://", "src=\"", "@import", "url("] { #expect(!text.contains(loads), "\(loads)") }
    }

    @Test func `JSON says its form and every count`() async throws {
        let report = try await report()
        guard let document = JSONValue(parsing: ReportFormat.json.text(of: report))?.fields else {
            Issue.record("no JSON object")
            return
        }
        #expect(document["schema"] == .integer(1))
        #expect(
            document["counts"]
                == .fields([
                    "pass": .integer(1), "fail": .integer(1), "error": .integer(0), "unmeasured": .integer(1),
                    "skipped": .integer(1),
                ])
        )
        #expect(ReportFormat.jsonl.text(of: report).split(separator: "\n").count == 4)
    }

    @Test func `a spreadsheet takes no field for a formula`() async throws {
        let text = ReportFormat.csv.text(of: try await report())
        #expect(text.contains("\"'=1+1 <img src=x>\""))
    }
}

/// True if tags open and close in pairs, and nothing stands raw that XML forbids.
private struct XMLWellFormedness {
    let isWellFormed: Bool

    init(_ text: String) {
        var open: [Substring] = []
        var isWellFormed = true
        for match in text.matches(of: /<(\/?)([a-z]+)((?:\s[a-z]+="[^"<]*")*)\s*(\/?)>/) {
            if !match.1.isEmpty {
                isWellFormed = isWellFormed && open.popLast() == match.2
            } else if match.4.isEmpty {
                open.append(match.2)
            }
        }
        let rest = text.replacing(/<\?xml[^>]*\?>/, with: "").replacing(
            /<(\/?)([a-z]+)((?:\s[a-z]+="[^"<]*")*)\s*(\/?)>/,
            with: ""
        )
        self.isWellFormed = isWellFormed && open.isEmpty && !rest.contains("<") && !rest.contains("& ")
    }
}
