/// The wire format that a route speaks.
package enum Dialect: String, Sendable, CaseIterable {
    case elderCompanion = "Elder Companion"
    case milo = "Milo"
    case openAI = "OpenAI-compatible"
    case operations = "Operations"

    /// Chooses the dialect for a path without a route: that of its neighbours.
    package init(path: String) {
        self =
            path.hasPrefix("/functions/v1")
            ? .milo
            : path.hasPrefix("/v1/") || path == "/v1"
                ? .openAI
                : path.hasPrefix("/api/v1") ? .elderCompanion : .operations
    }
}
