import Runtime

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    /// Whether the byte may be part of a method or a field name (`tchar`, RFC 9110, section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"),
            UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether the byte may stand in a line of a head: anything but a control other than the tab (RFC 9110, section 5.5).
    var isLineByte: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// Whether the byte may stand in a request's target: visible ASCII; a fragment is never sent.
    var isTargetByte: Bool { (0x21...0x7E).contains(self) && self != UInt8(ascii: "#") }

    /// Whether the byte may stand in `Host`: a name, an address or a port.
    var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// Whether the byte is an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == .space || self == .tab }

    /// The value of an ASCII hexadecimal digit.
    var hexadecimalValue: Int? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are the given lower-case ASCII text, but for the case of letters.
    func isEqual(ignoringCaseOf text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return zip(self, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            .allSatisfy { $0.asciiLowercased == $1 }
    }

    /// The bytes without the spaces and tabs before the first and after the last other byte.
    var trimmingBlanks: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return prefix(0)
        }
        return self[first...last]
    }
}
