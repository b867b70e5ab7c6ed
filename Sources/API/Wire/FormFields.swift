import Conversation
import Foundation

/// The fields of a web form (`application/x-www-form-urlencoded`, WHATWG URL Standard, section 5).
struct FormFields {
    /// The fields in order.
    let all: [TextCallback.Field]

    /// Decodes a form; returns nil for an invalid escape or bytes that are not UTF-8.
    init?(_ body: [UInt8]) {
        var fields: [TextCallback.Field] = []
        for part in body.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.text(halves[0]), let value = halves.count == 2 ? Self.text(halves[1]) : "" else {
                return nil
            }
            fields.append(TextCallback.Field(name, value))
        }
        all = fields
    }

    /// The first value of a name; empty when it is missing.
    subscript(_ name: String) -> String { all.first { $0.name == name }?.value ?? "" }

    private static func text(_ part: ArraySlice<UInt8>) -> String? {
        let spaced = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
    }
}
