import Foundation

/// The string literals of a Swift file, each as its pieces between interpolations.
struct SwiftLiterals {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var found: [[String]] = []

    init(_ source: Data) {
        bytes = Array(source)
        while place < bytes.count {
            if starts("//") {
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            } else if bytes[place] == UInt8(ascii: "\"") {
                readLiteral()
            } else {
                place += 1
            }
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes[place...].starts(with: wanted)
    }

    /// Reads a literal from its first quotation mark on.
    private mutating func readLiteral() {
        let isLong = starts("\"\"\"")
        place += isLong ? 3 : 1
        var (pieces, piece): ([String], [UInt8]) = ([], [])
        while place < bytes.count, !(isLong ? starts("\"\"\"") : starts("\"")) {
            if starts("\\(") {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece = []
                place += 2
                skipValue()
            } else if starts("\\") {
                place += 1
                if bytes[place] != UInt8(ascii: "\n") { piece.append(bytes[place]) }
                place += 1
                if isLong, piece.isEmpty || bytes[place - 1] == UInt8(ascii: "\n") { skipIndentation() }
            } else {
                piece.append(bytes[place])
                place += 1
                if isLong, bytes[place - 1] == UInt8(ascii: "\n") { skipIndentation() }
            }
        }
        place += isLong ? 3 : 1
        found.append(pieces + [String(decoding: piece, as: UTF8.self)])
    }

    private mutating func skipIndentation() {
        while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    }

    /// Skips the expression of an interpolation; literals within it are found too.
    private mutating func skipValue() {
        var depth = 1
        while place < bytes.count, depth > 0 {
            switch bytes[place] {
            case UInt8(ascii: "\""): readLiteral()
            case UInt8(ascii: "("):
                depth += 1
                place += 1
            case UInt8(ascii: ")"):
                depth -= 1
                place += 1
            default: place += 1
            }
        }
    }
}
