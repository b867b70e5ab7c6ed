import Runtime

/// Markup that is safe by how it is made: only literals of the program are markup, everything put into them is text.
///
/// `"<p title=\"\(name)\">\(said)</p>"` as `HTML` writes `name` and `said` so that they end neither the attribute nor the
/// element, whatever is in them; the literal's type is `StaticString`, so that no text that comes from outside can be taken
/// for a literal. Attributes are always written in double quotes, and an address is always a ``ConsolePath``: a text in an
/// `href` could begin with `javascript:`.
package struct HTML: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The markup as it is sent.
    package private(set) var text: String

    /// Makes markup of a literal.
    package init(stringLiteral value: StaticString) {
        text = "\(value)"
    }

    /// Makes markup of a literal with values in it, as the compiler asks.
    package init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    /// Text as markup that shows it.
    package init(text: String) {
        self.text = Self.escaped(text)
    }

    /// Text as markup that gives it back unchanged, for a field that is sent again.
    init(editable text: String) {
        self.text = Self.escapedBytes(of: text)
    }

    private init(markup: String) {
        text = markup
    }

    /// Nothing.
    package static let none: HTML = ""

    /// Whether it is nothing.
    package var isEmpty: Bool { text.isEmpty }

    /// Puts markup behind markup.
    package static func + (left: HTML, right: HTML) -> HTML { HTML(markup: left.text + right.text) }

    /// Puts markup behind this.
    package static func += (left: inout HTML, right: HTML) { left.text += right.text }

    /// The same markup without line breaks: each is written as the reference that stands for it.
    ///
    /// Right for what has none in its tags, such as what is made of literals in one line. It goes by scalars: CR LF is one
    /// character, which is neither CR nor LF.
    var inOneLine: HTML {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return self }
        let scalars = text.unicodeScalars.lazy.map { scalar in
            switch scalar {
            case "\r": "&#13;"
            case "\n": "&#10;"
            default: String(scalar)
            }
        }
        return HTML(markup: scalars.joined())
    }

    /// Text in which no character has a meaning in markup, inside an element or a quoted attribute.
    ///
    /// NUL, which no document may hold, becomes the replacement character. A character that turns the direction of what
    /// follows is shown by its name, so that no text reverses the line in which it stands.
    static func escaped(_ text: String) -> String { escapedBytes(of: text.showingBidiControls) }

    private static func escapedBytes(of text: String) -> String {
        guard text.utf8.contains(where: { $0.markupEscape != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let escape = byte.markupEscape {
                escape.withUTF8Buffer { bytes.append(contentsOf: $0) }
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTML {
    /// Collects a literal's parts: its own as markup, what is put in as text.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Begins with nothing, with room for what the literal says it holds.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        /// Puts in a part of the literal.
        package mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

        /// Puts in markup as it is.
        package mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

        /// Puts in pieces of markup, one behind the other.
        package mutating func appendInterpolation(_ markup: [HTML]) { for piece in markup { text += piece.text } }

        /// Puts in markup where there is some.
        package mutating func appendInterpolation(_ markup: HTML?) { text += markup?.text ?? "" }

        /// Puts in what a value is called, as text.
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += HTML.escaped(value.description)
        }
    }
}

extension [HTML] {
    /// The pieces, one behind the other.
    package var joined: HTML { "\(self)" }
}

extension UInt8 {
    fileprivate var markupEscape: StaticString? {
        switch self {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case UInt8(ascii: "`"): "&#96;"
        case 0: "\u{FFFD}"
        default: nil
        }
    }
}
