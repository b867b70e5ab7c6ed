import YAML

/// The settings at the beginning of a prompt file, with the position of its template.
struct FrontMatter {
    /// The settings, with positions in the file.
    let settings: YAMLMapping
    /// The bytes of the template without surrounding white space.
    let body: Range<Int>

    /// Finds and reads the settings; comment lines may precede them.
    init(_ source: SourceText) throws(PromptSourceError) {
        let lines = source.lines
        guard let open = lines.firstIndex(where: { !source.isBlankOrComment($0) }),
            source.isFence(lines[open])
        else {
            throw PromptSourceError(file: source.file, .start, .missingFrontMatter)
        }
        guard let close = lines[(open + 1)...].firstIndex(where: source.isFence) else {
            throw source.error(at: lines[open].lowerBound, .unclosedFrontMatter)
        }
        // Empty lines before the settings keep their positions equal to those in the file.
        let padding = String(repeating: "\n", count: open + 1)
        let text = source.text(lines[open].upperBound..<lines[close].lowerBound)
        settings = try FrontMatter.settings(padding + text, source)
        body = source.trimmed(lines[close].upperBound..<source.bytes.count)
    }

    /// Returns true if a source begins with settings, which a partial must not have.
    static func begins(_ source: SourceText) -> Bool {
        guard let first = source.lines.first(where: { !source.isBlankOrComment($0) }) else { return false }
        return source.isFence(first)
    }

    private static func settings(_ text: String, _ source: SourceText) throws(PromptSourceError) -> YAMLMapping {
        do {
            return try YAML.parse(text, file: source.file, limits: YAML.Limits(nodes: 5_000)).mapping()
        } catch {
            throw PromptSourceError(source.file, error)
        }
    }
}

extension SourceText {
    /// The byte range of each line including its end.
    fileprivate var lines: [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            lines.append(start..<end)
            start = end
        }
        return lines
    }

    fileprivate func isFence(_ line: Range<Int>) -> Bool {
        let text = bytes[line]
        return text.starts(with: "---".utf8) && text.dropFirst(3).allSatisfy(\.isBlank)
    }

    fileprivate func isBlankOrComment(_ line: Range<Int>) -> Bool {
        bytes[line].first == UInt8(ascii: "#") || bytes[line].allSatisfy(\.isBlank)
    }

    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        guard let first = bytes[range].firstIndex(where: { !$0.isBlank }),
            let last = bytes[range].lastIndex(where: { !$0.isBlank })
        else { return range.upperBound..<range.upperBound }
        return first..<last + 1
    }
}

extension PromptSourceError {
    init(_ file: String, _ error: YAMLError) {
        self.init(file: file, error.place ?? .start, .frontMatter(error))
    }
}

extension YAMLError {
    /// The position of the error; nil for the whole document.
    var place: SourcePosition? {
        switch self {
        case .syntax(let at, _), .tooDeep(let at, _), .tooManyNodes(let at, _), .secondDocument(let at),
            .duplicateKey(let at, _, _), .unsupportedKey(let at), .unsupportedTag(let at, _),
            .unknownAlias(let at, _), .wrongKind(let at, _, _), .invalidValue(let at, _, _),
            .missingKey(let at, _), .unknownKey(let at, _, _):
            SourcePosition(at)
        case .tooLarge, .empty: nil
        }
    }
}

extension SourcePosition {
    /// Converts a YAML position.
    init(_ position: YAMLPosition) {
        self.init(line: position.line, column: position.column)
    }
}
