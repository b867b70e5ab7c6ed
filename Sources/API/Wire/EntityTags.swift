import Cryptography
import Foundation
import Runtime

/// Reads the entity tags of `If-Match` (RFC 9110, section 13.1.1).
enum EntityTags {
    /// The field that names the version that the caller read; a change without it is allowed.
    static let match = Parameter(
        "If-Match",
        in: .header,
        .string(),
        note: "The `ETag` that was read, so that nobody's change is overwritten. Without it any state will do."
    )

    /// Returns the version of a record by the time of its last change, in microseconds since 1970.
    static func version(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }

    /// The version of a record: a digest of its members, so that equal records have equal versions.
    static func version(of record: JSONValue, without ignored: Set<String> = []) -> Int64 {
        var record = record
        if case .object(let members) = record { record = .object(members.filter { !ignored.contains($0.name) }) }
        return Int64(Digest.sha256(record.canonical.text).hex.prefix(15), radix: 16) ?? 0
    }

    /// The field that names a version.
    static func tag(_ version: Int64) -> String { "\"\(version)\"" }

    /// Returns the versions that a field names; nil if it allows any, empty if it names no version of this service.
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

extension ValidatedRequest {
    /// Refuses a change of a record that was changed since the caller read it, if the caller names the version.
    func checkUnchanged(_ version: Int64) throws(APIError) {
        guard let match = values[EntityTags.match.name], let versions = EntityTags.versions(match) else { return }
        guard versions.contains(version) else { throw .stalePrecondition }
    }
}
