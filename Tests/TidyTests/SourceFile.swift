import Foundation

/// A Swift file of the project, as lines.
struct SourceFile: Sendable {
    struct Line: Sendable {
        let text: String

        var trimmed: String { text.trimmingCharacters(in: .whitespaces) }
        var isCode: Bool { !trimmed.hasPrefix("//") && !trimmed.isEmpty }

        /// True if the line declares something that other modules may use.
        var declaresPackage: Bool {
            let words = trimmed.split(separator: " ")
            guard let at = words.firstIndex(of: "package") ?? words.firstIndex(where: { $0.hasPrefix("package(") })
            else { return false }
            guard isCode, words.prefix(at).allSatisfy({ Self.modifiers.contains(String($0)) || $0.hasPrefix("@") })
            else { return false }
            // An initialiser that stores its parameters has nothing to add to their comments.
            guard let kind = words.dropFirst(at + 1).first(where: { !Self.modifiers.contains(String($0)) }) else {
                return false
            }
            if kind == "let" || kind == "var" { return !isNamedByItsType }
            return kind != "import" && !kind.hasPrefix("init(") && !kind.hasPrefix("init<")
        }

        /// True for a property whose name and type say everything: no number, time, text or condition.
        private var isNamedByItsType: Bool {
            guard let type = trimmed.firstMatch(of: /(?:let|var) \w+: ([^={]+)/)?.1 else { return false }
            let units = /\b(U?Int\d*|Double|Float|TimeInterval|Duration|Date|Instant|Bool|String)\b/
            return type.firstMatch(of: units) == nil
        }

        private static let modifiers: Set<String> = [
            "final", "static", "nonisolated", "override", "mutating", "indirect",
        ]
    }

    let path: String
    let name: String
    let module: String
    let lines: [Line]

    static func all(under folder: URL) -> [SourceFile] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8) else { return nil }
            let parts = path.split(separator: "/")
            return SourceFile(
                path: path,
                name: parts.last.map(String.init) ?? path,
                module: parts.first.map(String.init) ?? "",
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { Line(text: String($0)) }
            )
        }
    }

    /// True if a doc comment stands above a declaration, perhaps with attributes between them.
    func isDocumented(_ index: Int) -> Bool {
        var above = index - 1
        while above >= 0, lines[above].trimmed.hasPrefix("@") { above -= 1 }
        return above >= 0 && lines[above].trimmed.hasPrefix("///")
    }

    /// True if a declaration repeats one of a protocol, whose documentation is inherited.
    func isInherited(_ index: Int) -> Bool {
        let text = lines[index].trimmed
        let repeated = [
            "package static func <", "package init(stringLiteral", "package init(booleanLiteral",
            "package init(integerLiteral",
            "package init(arrayLiteral", "package init(dictionaryLiteral", "package nonisolated var unownedExecutor",
            "package static func ==", "package init(from", "package func encode(",
            "package var description",
            "package func hash(", "package let rawValue", "package init(rawValue", "package mutating func next(",
            "package typealias Element", "package typealias Failure", "package func makeAsyncIterator",
        ]
        return repeated.contains { text.hasPrefix($0) } || isInConformingType(index)
    }

    /// True if the file's main type conforms to a protocol of the project that documents the members it repeats.
    private func isInConformingType(_ index: Int) -> Bool {
        let indent = lines[index].text.prefix { $0 == " " }.count
        let declaration = lines[...index].last { line in
            line.isCode && line.text.prefix { $0 == " " }.count < indent
                && line.text.firstMatch(of: /\b(struct|class|actor|enum|extension)\b .*:/) != nil
        }
        guard let declaration, !lines[index].text.contains("init("), declaration.text != lines[index].text else {
            return false
        }
        let plain: Set<String> = [
            "Sendable", "Equatable", "Hashable", "Codable", "Error", "Comparable", "String", "CaseIterable",
            "~Copyable",
        ]
        let conformed =
            declaration.text.split(separator: ":", maxSplits: 1).last?
            .split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " {")) } ?? []
        return conformed.contains { !plain.contains($0) && !$0.hasPrefix("@unchecked") }
    }
}
