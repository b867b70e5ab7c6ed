import Foundation

/// The forms that a report may take, told by a file's suffix.
package enum ReportFormat: String, Sendable, CaseIterable {
    case json, jsonl
    case junit = "junit.xml"
    case markdown = "md"
    case csv, html

    /// The form that a path asks for; nil when its suffix is none of them.
    package init?(path: String) {
        guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else { return nil }
        self = format
    }

    /// The report as text.
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
