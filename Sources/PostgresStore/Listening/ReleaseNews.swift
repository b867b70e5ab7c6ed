/// A change of what is in force, as it is announced to replicas.
package struct ReleaseNews: Sendable, Equatable {
    /// The channel on which changes are announced.
    package static let channel = Releasing.channel

    /// Where it happened.
    package let environment: String
    /// Whether the files are to be read again; otherwise there is a new release.
    package let asksForReload: Bool

    /// Reads an announcement; nil when it is none.
    package init?(payload: String) {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count == 2, ["release", "reload"].contains(parts[1]) else { return nil }
        environment = parts[0]
        asksForReload = parts[1] == "reload"
    }
}
