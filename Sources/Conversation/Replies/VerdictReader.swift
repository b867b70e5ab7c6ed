/// Reads a model's verdict from the beginning of its stream, before any word is spoken.
///
/// The verdict is the first line; nothing is passed on before that line is complete. A line that is plainly meant as
/// a verdict but cannot be read is left out and does not count. So is a code fence around it, and a later verdict.
struct VerdictReader: Sendable {
    /// The outcome of reading.
    enum Outcome: Sendable, Equatable {
        /// The first line has not ended yet.
        case pending
        /// The model gave a verdict.
        case given(ModelVerdict)
        /// The model gave no readable verdict.
        case missing
    }

    private let isExpected: Bool
    private var pending = ""
    private var line = ""
    private(set) var outcome: Outcome

    /// Makes a reader.
    ///
    /// - Parameter isExpected: True if the model should give a verdict; otherwise a line that looks like one is left
    ///   out and ignored.
    init(isExpected: Bool) {
        self.isExpected = isExpected
        outcome = .pending
    }

    /// The verdict; nil without one.
    var verdict: ModelVerdict? { if case .given(let verdict) = outcome { verdict } else { nil } }

    /// Reads a piece; returns the text for the reply.
    mutating func append(_ piece: String) -> String {
        guard case .pending = outcome else { return later(piece) }
        pending += piece
        while case .pending = outcome {
            guard let end = pending.firstIndex(where: \.isNewline) else {
                return mayBeVerdict(pending) ? "" : conclude(.missing)
            }
            let first = pending[..<end]
            pending = String(pending[pending.index(after: end)...])
            read(first)
        }
        defer { pending = "" }
        return later(pending)
    }

    /// Reads the end of the stream; returns the remaining text for the reply.
    mutating func finish() -> String {
        if case .pending = outcome {
            let last = pending
            pending = ""
            if let verdict = ModelVerdict(line: last), !last.isEmpty {
                outcome = isExpected ? .given(verdict) : .missing
                return ""
            }
            outcome = .missing
            return last
        }
        defer { line = "" }
        return Self.isAside(line) ? "" : line
    }

    /// Reads the first line; skips an empty line and a code fence.
    private mutating func read(_ first: Substring) {
        let trimmed = String(first).trimmed
        if trimmed.isEmpty || Self.isFence(trimmed) { return }
        if let verdict = ModelVerdict(line: trimmed) {
            outcome = isExpected ? .given(verdict) : .missing
        } else {
            outcome = .missing
            if !isExpected || !Self.looksLikeVerdict(trimmed) { pending = trimmed + "\n" + pending }
        }
    }

    private mutating func conclude(_ outcome: Outcome) -> String {
        self.outcome = outcome
        defer { pending = "" }
        return later(pending)
    }

    /// Passes text on, and leaves out later lines that consist of a verdict or a fence.
    ///
    /// Holds back only a line that may still become one.
    private mutating func later(_ piece: String) -> String {
        var passed = ""
        line += piece
        while let end = line.firstIndex(where: \.isNewline) {
            let whole = String(line[...end])
            line = String(line[line.index(after: end)...])
            if !Self.isAside(whole) { passed += whole }
        }
        if !line.isEmpty, !Self.beginsVerdict(line) {
            passed += line
            line = ""
        }
        return passed
    }

    /// The greatest number of characters of a verdict line: "critical emergency" in any of the words.
    private static let longestVerdict = 40

    private static func isFence(_ line: String) -> Bool { line.trimmed.hasPrefix("```") }

    /// Returns whether a line is a verdict or a fence, and therefore not spoken.
    private static func isAside(_ line: String) -> Bool {
        let text = line.trimmed
        return !text.isEmpty && (isFence(text) || ModelVerdict(line: text) != nil && !text.hasSuffix("!"))
    }

    /// Returns whether the beginning of the stream may still become a verdict; in any language when one is expected.
    private func mayBeVerdict(_ text: String) -> Bool {
        guard isExpected else { return Self.beginsVerdict(text) }
        return text.count <= Self.longestVerdict && !text.contains { ".!?…".contains($0) }
    }

    /// Returns whether the beginning of a line may still become a verdict in the requested words.
    private static func beginsVerdict(_ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || "*`\"'([".contains($0) }
        guard !start.isEmpty else { return text.count <= longestVerdict }
        guard text.count <= longestVerdict else { return false }
        let first = start.prefix { $0.isLetter || $0 == "_" }.lowercased()
        let isOpen = first.count == start.count
        let words = Level.allCases.map(\.rawValue) + ["level", "verdict"]
        return words.contains { isOpen ? $0.hasPrefix(first) : $0 == first } || isFence(text)
    }

    /// Returns whether a complete first line was meant as a verdict: few words, no sentence.
    private static func looksLikeVerdict(_ line: String) -> Bool {
        let words = line.split { !($0.isLetter || $0 == "_") }
        guard (1...4).contains(words.count), let last = line.last, !".!?…".contains(last) else { return false }
        return true
    }
}
