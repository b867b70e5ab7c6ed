import Foundation

/// Report as JUnit XML: failures are assertions, errors are infrastructure, and unmeasured fixtures are skipped.
enum JUnitReport {
    static func text(of report: RunReport) -> String {
        let suites = Dictionary(grouping: report.fixtures, by: \.entry.suite).sorted { $0.key < $1.key }
        let tests = suites.map { suite($0.key, $0.value, report) }.joined()
        let total = report.run.tally.entries.count
        return
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"\(total)\" failures=\"\(report.count(.fail))\""
            + " errors=\"\(report.count(.error))\">\n\(tests)</testsuites>\n"
    }

    private static func suite(
        _ name: String,
        _ fixtures: [(entry: RunTally.Entry, sample: SampleRecord?)],
        _ report: RunReport
    ) -> String {
        func count(_ outcomes: SampleRecord.Outcome...) -> Int {
            fixtures.count { outcomes.contains($0.entry.outcome) }
        }
        let properties = report.run.header.components.sorted { $0.key < $1.key }.map {
            "<property name=\"\(Markup.escaped($0.key))\" value=\"\(Markup.escaped($0.value))\"/>"
        }
        return "<testsuite name=\"\(Markup.escaped(name))\" tests=\"\(fixtures.count)\" failures=\"\(count(.fail))\""
            + " errors=\"\(count(.error))\" skipped=\"\(count(.skipped, .unmeasured))\">\n"
            + "<properties>\(properties.joined())</properties>\n"
            + fixtures.map(test).joined() + "</testsuite>\n"
    }

    private static func test(_ entry: RunTally.Entry, _ sample: SampleRecord?) -> String {
        let seconds = (sample?.turns.reduce(0) { $0 + $1.milliseconds } ?? 0) / 1_000
        let head =
            "<testcase classname=\"\(Markup.escaped(entry.suite))\" name=\"\(Markup.escaped(entry.fixture))\""
            + " time=\"\(String(format: "%.3f", seconds))\""
        let reason = Markup.escaped(entry.reason)
        switch entry.outcome {
        case .pass: return head + "/>\n"
        case .fail: return head + "><failure message=\"\(reason)\"/></testcase>\n"
        case .error: return head + "><error message=\"\(reason)\"/></testcase>\n"
        case .unmeasured: return head + "><skipped message=\"unmeasured: \(reason)\"/></testcase>\n"
        case .skipped: return head + "><skipped message=\"\(reason)\"/></testcase>\n"
        }
    }
}

/// Escapes text for XML and HTML.
enum Markup {
    /// The text with special characters as entities.
    ///
    /// Characters that XML 1.0 forbids become the replacement character.
    static func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return escaped
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
    }
}
