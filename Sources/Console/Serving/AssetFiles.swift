import HTTPServing

/// Style sheet and scripts of the pages, by the names in their addresses.
enum AssetFiles {
    static let style = AssetFile(
        "console",
        "css",
        mediaType: "text/css; charset=utf-8",
        PackageResources.console_css + PackageResources.work_css
    )

    private static let all = Dictionary(
        uniqueKeysWithValues: ([style] + Script.allCases.map(\.file)).map { ($0.name, $0) }
    )

    static func named(_ name: String) -> AssetFile? { all[name] }
}
