import Foundation

/// Reads the entity tags of `If-Match` (RFC 9110, section 13.1.1).
enum EntityTags {
    /// The field that names what was read, where a change without it is let through.
    static let match = Parameter(
        "If-Match",
        in: .header,
        .string(),
        note: "The `ETag` that was read, so that nobody's change is overwritten. Without it any state will do."
    )

    /// The version of what was last changed at a time: its microseconds since 1970.
    static func version(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }

    /// Returns the versions that a field names; nil for any, and none where it names no version of this service.
    ///
    /// A weak tag never matches.
    static func versions(_ field: String) -> [Int64]? {
        let tags = field.split(separator: ",").map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
            .map { $0.reversed().drop { $0 == " " || $0 == "\t" }.reversed() }.map { String($0) }
        guard tags != ["*"] else { return nil }
        return tags.compactMap { tag in
            guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            return Int64(tag.dropFirst().dropLast())
        }
    }
}
