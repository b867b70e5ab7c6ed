/// A plain module that makes a page livelier; every page works without any.
package enum Script: String, Sendable, CaseIterable {
    /// On every page.
    case console
    /// Shows turns as they come.
    case live
    /// Counts alerts' clocks down and looks for news of the queue.
    case alerts
    /// Looks how far the bench is.
    case bench
    /// Lint and preview as one types.
    case editor

    private var bytes: [UInt8] {
        switch self {
        case .console: PackageResources.console_js
        case .live: PackageResources.live_js
        case .alerts: PackageResources.alerts_js
        case .bench: PackageResources.bench_js
        case .editor: PackageResources.editor_js
        }
    }

    private static let files = Dictionary(
        uniqueKeysWithValues: allCases.map {
            ($0, AssetFile($0.rawValue, "js", mediaType: "text/javascript; charset=utf-8", $0.bytes))
        }
    )

    /// The module's file.
    var file: AssetFile {
        guard let file = Self.files[self] else { preconditionFailure("every script has a file") }
        return file
    }
}
