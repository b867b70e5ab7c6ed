import Foundation

@testable import Console

/// The texts and spoken attributes of a page that are English, except people's words, which stand in `bdi`, and code.
struct EnglishSentences {
    /// Words of English sentences that are no words of Spanish ones.
    private static let marks: Set<String> = [
        "the", "of", "is", "are", "was", "were", "and", "this", "that", "not", "has", "have", "with", "for", "from",
        "it",
        "by", "on", "which", "nobody", "been", "be", "to", "in",
    ]

    let found: [String]

    init(_ page: String) {
        let main = page.firstRange(of: "<main").map { page[$0.lowerBound...] } ?? page[...]
        let own = main.replacing(
            /<(bdi|code|pre|script|option|textarea)\b[^>]*>.*?<\/\1>/.dotMatchesNewlines(),
            with: ""
        )
        let texts = own.matches(of: />([^<>]+)</).map { String($0.1) }
        let spoken = own.matches(of: /(?:aria-label|title|placeholder)="([^"]+)"/).map { String($0.1) }
        found = (texts + spoken).filter(Self.isEnglish)
    }

    private static func isEnglish(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.count >= 3 && words.filter(marks.contains).count >= 2
    }
}

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
