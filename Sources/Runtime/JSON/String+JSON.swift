extension [UInt8] {
    /// Appends text as a quoted JSON string with the escapes that RFC 8259, section 7, asks for.
    ///
    /// One pass over the text's bytes; what needs no escape is copied whole.
    package mutating func appendJSONString(_ string: String) {
        var string = string
        append(UInt8(ascii: "\""))
        string.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices where bytes[index].isEscapedInJSON {
                append(contentsOf: bytes[start..<index])
                appendJSONEscape(bytes[index])
                start = index + 1
            }
            append(contentsOf: bytes[start...])
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
    /// Appends text as a quoted JSON string with the escapes that RFC 8259, section 7, asks for.
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

extension UInt8 {
    fileprivate var isEscapedInJSON: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
