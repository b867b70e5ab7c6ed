/// A request that no recording answers, with what differs from the one that is nearest.
package struct CassetteMiss: Sendable, Equatable, CustomStringConvertible {
    /// How every miss begins in a run's file.
    package static let prefix = "no recording"

    /// The request's method and path.
    package var request: String
    /// The key that was looked for.
    package var key: String
    /// The file of the nearest recording; nil when there is none.
    package var nearest: String?
    /// What differs, line by line: `-` recorded, `+` asked for.
    package var difference: [String]

    package var description: String {
        guard let nearest else { return "\(Self.prefix) of \(request) (\(key.prefix(12))); there is none at all" }
        let shown = difference.prefix(8).joined(separator: " | ")
        return "\(Self.prefix) of \(request) (\(key.prefix(12))); nearest is \(nearest): \(shown)"
    }
}
