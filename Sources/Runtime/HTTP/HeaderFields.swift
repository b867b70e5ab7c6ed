/// The header fields of an HTTP message, in order; names are compared without regard to case.
package struct HeaderFields: Sendable, Equatable {
    /// A name and its value.
    package struct Field: Sendable, Equatable {
        /// The field's name as received.
        package let name: String
        /// The field's value, without white space at its ends.
        package let value: String
    }

    /// Every field in order; a name may occur more than once.
    package private(set) var all: [Field] = []

    package init() {}

    package init(_ pairs: KeyValuePairs<String, String>) {
        for (name, value) in pairs { add(name, value) }
    }

    /// The first value of a name; setting it replaces every value, and nil removes them.
    package subscript(_ name: String) -> String? {
        get { all.first { $0.name.isEqualIgnoringCase(to: name) }?.value }
        set {
            all.removeAll { $0.name.isEqualIgnoringCase(to: name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Returns every value of a name, in order.
    package func values(_ name: String) -> [String] {
        all.filter { $0.name.isEqualIgnoringCase(to: name) }.map(\.value)
    }

    /// Adds a field at the end.
    package mutating func add(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }
}

extension String {
    /// Returns true if two strings are equal apart from the case of ASCII letters.
    package func isEqualIgnoringCase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { text in
            other.withUTF8 { text.elementsEqual($0) { $0.asciiLowercased == $1.asciiLowercased } }
        }
    }
}

extension UInt8 {
    private static let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")

    /// The byte, as lower case if it is an ASCII letter.
    package var asciiLowercased: UInt8 { Self.letters.contains(self) ? self | 0x20 : self }
}
