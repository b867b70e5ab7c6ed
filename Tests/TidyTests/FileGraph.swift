/// Files of a module and the references between them, found by the names of types.
///
/// A reference is a type's name in code, outside comments and texts. Extensions of a type refer to it, and a member's
/// name after a point is no reference.
struct FileGraph {
    private let names: [String]
    private let references: [[Int]]

    init(_ files: [SourceFile]) {
        names = files.map(\.path)
        var owners: [String: Int?] = [:]
        for (index, file) in files.enumerated() {
            for line in file.lines where !line.text.hasPrefix(" ") {
                guard let name = Self.declared(line.text) else { continue }
                owners[name] = owners[name] == nil ? index : .some(nil)
            }
        }
        references = files.enumerated().map { index, file in
            let nested = Set(file.lines.filter { $0.text.hasPrefix(" ") }.compactMap { Self.declared($0.trimmed) })
            var words = SwiftWords()
            for line in file.lines { words.read(line.text) }
            let found = words.types.subtracting(nested).compactMap { owners[$0] ?? nil }
            return Set(found).subtracting([index]).sorted()
        }
    }

    /// A graph of named nodes, each with the indices of those that it refers to.
    private init(names: [String], references: [[Int]]) {
        (self.names, self.references) = (names, references)
    }

    /// Folders of the files and the references between them.
    var folders: FileGraph {
        let folder = names.map { $0.split(separator: "/").dropLast().joined(separator: "/") }
        let all = Set(folder).sorted()
        let edges = all.map { one in
            let referred = names.indices.filter { folder[$0] == one }.flatMap { references[$0] }.map { folder[$0] }
            return all.indices.filter { all[$0] != one && referred.contains(all[$0]) }
        }
        return FileGraph(names: all, references: edges)
    }

    /// Groups of nodes that refer to each other, directly or through others of the group.
    var circles: [[String]] {
        let reached = names.indices.map(reach)
        var groups: Set<[Int]> = []
        for index in names.indices {
            let group = reached[index].filter { reached[$0].contains(index) }.sorted()
            if group.count > 1 { groups.insert(group) }
        }
        return groups.map { $0.map { names[$0] } }
    }

    private func reach(from start: Int) -> Set<Int> {
        var (reached, open): (Set<Int>, [Int]) = ([], references[start])
        while let next = open.popLast() {
            if reached.insert(next).inserted { open += references[next] }
        }
        return reached
    }

    /// The type that a line declares; nil for any other line.
    private static func declared(_ line: String) -> String? {
        var words = line.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "<" })[...]
        let modifiers: Set<Substring> = [
            "package", "public", "private", "fileprivate", "final", "nonisolated", "indirect", "@globalActor", "@main",
        ]
        while let first = words.first, modifiers.contains(first) { words.removeFirst() }
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        guard words.count > 1, let kind = words.first, kinds.contains(kind) else { return nil }
        return String(words[words.startIndex + 1])
    }
}

/// Reads the capitalised words of Swift code, without comments and texts but with the code that texts contain.
private struct SwiftWords {
    private(set) var types: Set<String> = []
    /// The open texts: true for one of several lines; a number of open brackets for code inside one.
    private var texts: [(isLong: Bool, brackets: Int?)] = []

    mutating func read(_ line: String) {
        let bytes = Array(line.utf8)
        var place = 0
        while place < bytes.count {
            if let text = texts.last, text.brackets == nil {
                place = readText(bytes, place, isLong: text.isLong)
            } else if bytes[place...].starts(with: "//".utf8) {
                break
            } else {
                place = readCode(bytes, place)
            }
        }
        while let text = texts.last, !text.isLong { texts.removeLast() }
    }

    private mutating func readText(_ bytes: [UInt8], _ place: Int, isLong: Bool) -> Int {
        if bytes[place] == UInt8(ascii: "\\") {
            if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "(") { texts[texts.count - 1].brackets = 1 }
            return place + 2
        }
        guard bytes[place] == UInt8(ascii: "\"") else { return place + 1 }
        guard isLong else {
            texts.removeLast()
            return place + 1
        }
        guard bytes[place...].starts(with: "\"\"\"".utf8) else { return place + 1 }
        texts.removeLast()
        return place + 3
    }

    private mutating func readCode(_ bytes: [UInt8], _ place: Int) -> Int {
        switch bytes[place] {
        case UInt8(ascii: "\""):
            let isLong = bytes[place...].starts(with: "\"\"\"".utf8)
            texts.append((isLong, nil))
            return place + (isLong ? 3 : 1)
        case UInt8(ascii: "("):
            if !texts.isEmpty { texts[texts.count - 1].brackets? += 1 }
        case UInt8(ascii: ")"):
            guard let brackets = texts.last?.brackets else { break }
            texts[texts.count - 1].brackets = brackets == 1 ? nil : brackets - 1
        case let byte where byte.isWordByte:
            var end = place
            while end < bytes.count, bytes[end].isWordByte { end += 1 }
            let isMember = place > 0 && bytes[place - 1] == UInt8(ascii: ".")
            if !isMember, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                types.insert(String(decoding: bytes[place..<end], as: UTF8.self))
            }
            return end
        default: break
        }
        return place + 1
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
