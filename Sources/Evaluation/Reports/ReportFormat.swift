import Foundation

/// Formats of a report, selected by the file's suffix.
package enum ReportFormat: String, Sendable, CaseIterable {
    case json, jsonl
    case junit = "junit.xml"
    case markdown = "md"
    case csv, html

    /// Format for a path; nil if its suffix is unknown.
    package init?(path: String) {
        guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else { return nil }
        self = format
    }

    /// The report in this format.
    package func text(of report: RunReport) -> String {
        switch self {
        case .json: JSONReport.text(of: report)
        case .jsonl: JSONReport.lines(of: report)
        case .junit: JUnitReport.text(of: report)
        case .markdown: MarkdownReport.text(of: report)
        case .csv: CSVReport.text(of: report)
        case .html: HTMLReport.text(of: report)
        }
    }
}
