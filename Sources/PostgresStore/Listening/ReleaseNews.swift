/// An announcement that the active release changed.
package struct ReleaseNews: Sendable, Equatable {
    /// Channel of these announcements.
    package static let channel = Releasing.channel

    /// Environment of the change.
    package let environment: String
    /// True when the files must be reloaded; false for a new release.
    package let asksForReload: Bool

    /// Parses an announcement; returns nil when it is malformed.
    package init?(payload: String) {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count == 2, ["release", "reload"].contains(parts[1]) else { return nil }
        environment = parts[0]
        asksForReload = parts[1] == "reload"
    }
}
