/// A request without a recording, with its difference from the most similar one.
package struct CassetteMiss: Sendable, Equatable, CustomStringConvertible {
    /// Start of every such message in a run's file.
    package static let prefix = "no recording"

    /// Method and path of the request.
    package var request: String
    /// Key of the request.
    package var key: String
    /// File of the most similar recording; nil if there is none.
    package var nearest: String?
    /// Difference by line: `-` recorded, `+` requested.
    package var difference: [String]

    package var description: String {
        guard let nearest else { return "\(Self.prefix) of \(request) (\(key.prefix(12))); there is none at all" }
        let shown = difference.prefix(8).joined(separator: " | ")
        return "\(Self.prefix) of \(request) (\(key.prefix(12))); nearest is \(nearest): \(shown)"
    }
}
