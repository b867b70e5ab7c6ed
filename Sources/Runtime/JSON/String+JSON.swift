extension [UInt8] {
    /// Appends the bytes of a text.
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends text as a quoted JSON string with the escapes of RFC 8259, section 7.
    ///
    /// Looks at eight bytes at a time; copies unescaped stretches whole.
    package mutating func appendJSONString(_ string: String) {
        var string = string
        append(UInt8(ascii: "\""))
        string.withUTF8 { bytes in
            var start = 0
            while let index = bytes.firstEscaped(from: start) {
                append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                appendJSONEscape(bytes[index])
                start = index + 1
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendJSONEscape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
        case 0..<0x20: append(contentsOf: [0x75, 0x30, 0x30, 0x30 + byte >> 4, Self.hexadecimal[Int(byte & 0xF)]])
        default: append(byte)
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}

extension String {
    /// Appends text as a quoted JSON string with the escapes of RFC 8259, section 7.
    package mutating func appendJSONString(_ string: String) {
        guard string.utf8.contains(where: \.isEscapedInJSON) else {
            append("\"")
            append(string)
            return append("\"")
        }
        var bytes: [UInt8] = []
        bytes.appendJSONString(string)
        append(String(decoding: bytes, as: UTF8.self))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the place of the first byte from `start` on that must be escaped.
    fileprivate func firstEscaped(from start: Int) -> Int? {
        var index = start
        while index + 8 <= count {
            let eight = UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if eight.holdsEscapedInJSON { break }
            index += 8
        }
        while index < count {
            if self[index].isEscapedInJSON { return index }
            index += 1
        }
        return nil
    }
}

extension UInt64 {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// True if one of eight bytes is below 0x20, a quotation mark or a backslash.
    ///
    /// A byte below `n` borrows when `n` is subtracted; equal bytes become zero after XOR (Warren, Hacker's Delight,
    /// section 6-1).
    fileprivate var holdsEscapedInJSON: Bool {
        let (quotes, backslashes) = (self ^ Self.ones &* 0x22, self ^ Self.ones &* 0x5C)
        let controls = (self &- Self.ones &* 0x20) & ~self
        return (controls | (quotes &- Self.ones) & ~quotes | (backslashes &- Self.ones) & ~backslashes) & Self.highs
            != 0
    }
}

extension UInt8 {
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
