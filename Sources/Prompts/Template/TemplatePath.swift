/// The path of a value in a template: `name`, `patient.name`, `this`, `../title`, `@index`.
struct TemplatePath: Sendable, Equatable, CustomStringConvertible {
    /// The start of the lookup.
    enum Start: Sendable, Equatable {
        /// The tag's scope, or a number of scopes further out.
        case scope(outward: Int)
        /// A fact about the enclosing loop.
        case loop(LoopFact)
    }

    /// A loop's facts about its current element.
    enum LoopFact: String, Sendable, CaseIterable { case index, first, last, key }

    /// The start of the lookup.
    let start: Start
    /// The names to follow from the start; empty for `this`.
    let names: [String]

    /// The path as written in a template.
    var description: String {
        switch start {
        case .loop(let fact): "@\(fact.rawValue)"
        case .scope(let outward):
            String(repeating: "../", count: outward) + (names.isEmpty ? "this" : names.joined(separator: "."))
        }
    }

    /// Parses a path; nil when the text is not a path.
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
    /// True if it is a valid name: at least one of ASCII letters, digits, `_`, `-` and `$`.
    var isTemplateName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-$".utf8.contains($0) }
    }
}

extension UInt8 {
    /// True if the byte is an ASCII letter or digit.
    var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// True if the byte is a space, a tab or a line end.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
