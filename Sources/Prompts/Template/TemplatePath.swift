/// How a template names a value: `name`, `patient.name`, `this`, `../title`, `@index`.
struct TemplatePath: Sendable, Equatable, CustomStringConvertible {
    /// Where the search begins.
    enum Start: Sendable, Equatable {
        /// In the scope that the tag stands in, or that many scopes further out.
        case scope(outward: Int)
        /// At the loop's own facts.
        case loop(LoopFact)
    }

    /// What a loop says of the element it is at.
    enum LoopFact: String, Sendable, CaseIterable { case index, first, last, key }

    /// Where the search begins.
    let start: Start
    /// The names to follow from there; none for `this`.
    let names: [String]

    /// As it is written in a template.
    var description: String {
        switch start {
        case .loop(let fact): "@\(fact.rawValue)"
        case .scope(let outward):
            String(repeating: "../", count: outward) + (names.isEmpty ? "this" : names.joined(separator: "."))
        }
    }

    /// Reads a path; nil when the text is none.
    init?(_ text: String) {
        if text.hasPrefix("@") {
            guard let fact = LoopFact(rawValue: String(text.dropFirst())) else { return nil }
            self.init(start: .loop(fact), names: [])
            return
        }
        var rest = text[...]
        var outward = 0
        while rest.hasPrefix("../") {
            outward += 1
            rest = rest.dropFirst(3)
        }
        if rest == ".." {
            outward += 1
            rest = "this"
        }
        guard let names = Self.names(in: rest) else { return nil }
        self.init(start: .scope(outward: outward), names: names)
    }

    private init(start: Start, names: [String]) {
        self.start = start
        self.names = names
    }

    private static func names(in text: Substring) -> [String]? {
        if text == "this" || text == "." { return [] }
        let rest =
            text.hasPrefix("this.") ? text.dropFirst(5) : text.hasPrefix("./") ? text.dropFirst(2) : text
        let names = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return names.allSatisfy(\.isTemplateName) ? names : nil
    }
}

extension String {
    /// Whether it may name a variable or a field: ASCII letters, digits, `_`, `-` and `$`, at least one.
    var isTemplateName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-$".utf8.contains($0) }
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether the byte is a space, a tab or a line's end.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
