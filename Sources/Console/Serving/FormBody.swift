/// Fields of a form in `application/x-www-form-urlencoded` (WHATWG URL Standard, section 5).
package struct FormBody: Sendable, Equatable {
    private static let maximumFields = 500
    private let fields: [(name: String, value: String)]

    /// A form without fields.
    static let empty = FormBody(fields: [])

    private init(fields: [(name: String, value: String)]) {
        self.fields = fields
    }

    /// Parses a form; nil for an invalid escape, invalid UTF-8 or more than 500 fields.
    package init?(_ body: [UInt8]) {
        var fields: [(name: String, value: String)] = []
        for part in body.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumFields) {
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < Self.maximumFields, let name = Self.text(halves[0]),
                let value = halves.count == 2 ? Self.text(halves[1]) : ""
            else { return nil }
            fields.append((name, value))
        }
        self.fields = fields
    }

    /// First value of a field without surrounding white space; empty if the field is missing.
    package subscript(_ name: String) -> String {
        let value = whole(name)
        guard let first = value.firstIndex(where: { !$0.isWhitespace }),
            let last = value.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(value[first...last])
    }

    /// First value of a field as it was sent, with CR LF converted to LF; empty if the field is missing.
    package func whole(_ name: String) -> String {
        (fields.first { $0.name == name }?.value ?? "").replacing("\r\n", with: "\n")
    }

    /// All values of a field, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    package static func == (left: FormBody, right: FormBody) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }

    private static func text(_ part: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var hexadecimal: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
