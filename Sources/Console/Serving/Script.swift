/// JavaScript modules that enhance pages; every page works without them.
package enum Script: String, Sendable, CaseIterable {
    /// Loaded on every page.
    case console
    /// Shows new turns on the live page.
    case live
    /// Counts down the alerts' timers and refreshes the queue.
    case alerts
    /// Refreshes the progress of the evaluation bench.
    case bench
    /// Runs lint and preview while the operator types.
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

    /// File of the module.
    var file: AssetFile {
        guard let file = Self.files[self] else { preconditionFailure("every script has a file") }
        return file
    }
}
