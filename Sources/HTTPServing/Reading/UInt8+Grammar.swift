import Runtime

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    /// True if the byte may occur in a method or field name (`tchar`, RFC 9110, section 5.6.2).
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

    /// True if the byte may occur in a head line: no control byte except tab (RFC 9110, section 5.5).
    var isLineByte: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// True if the byte may occur in a target: visible ASCII except `#`, since fragments are never sent.
    var isTargetByte: Bool { (0x21...0x7E).contains(self) && self != UInt8(ascii: "#") }

    /// True if the byte may occur in `Host`: a name, an address or a port.
    var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }

    /// True if the byte is an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True if the byte is a space or a tab.
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
    /// True if the bytes equal a lower-case ASCII text, ignoring case.
    func isEqual(ignoringCaseOf text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return zip(self, UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            .allSatisfy { $0.asciiLowercased == $1 }
    }

    /// The bytes without leading and trailing spaces and tabs.
    var trimmingBlanks: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return prefix(0)
        }
        return self[first...last]
    }
}
