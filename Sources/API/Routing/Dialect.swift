/// Whose shapes a route speaks.
package enum Dialect: String, Sendable, CaseIterable {
    case elderCompanion = "Elder Companion"
    case milo = "Milo"
    case openAI = "OpenAI-compatible"
    case operations = "Operations"

    /// The dialect of a path that no route may have: its caller expects the shapes of its neighbours.
    package init(path: String) {
        self =
            path.hasPrefix("/functions/v1")
            ? .milo
            : path.hasPrefix("/v1/") || path == "/v1"
                ? .openAI
                : path.hasPrefix("/api/v1") ? .elderCompanion : .operations
    }
}
