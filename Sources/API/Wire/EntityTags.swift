/// Reads the entity tags of `If-Match` (RFC 9110, section 13.1.1).
enum EntityTags {
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
