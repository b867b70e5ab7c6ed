/// Encodes and decodes web form bodies (`application/x-www-form-urlencoded`, WHATWG URL Standard, section 5).
package enum FormCoding {
    /// Encodes pairs in order; keeps letters, digits and `*-._`, and writes a space as `+`.
    package static func text(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    /// Decodes pairs; nil for an invalid escape, bytes that are not UTF-8, or more pairs than the limit.
    package static func pairs(_ bytes: [UInt8], limit: Int = .max) -> [(String, String)]? {
        var pairs: [(String, String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&"), maxSplits: limit) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pairs.count < limit, let name = unescaped(halves[0]),
                let value = halves.count == 2 ? unescaped(halves[1]) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                bytes.append(byte)
            case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
