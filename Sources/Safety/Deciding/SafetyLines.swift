package import Conversation
import Foundation
package import YAML

/// The lines that are said instead of a model's words, read from `lines.yaml` and checked: a line that a listener could
/// not take in, or that is missing in a language, is refused with its place.
package struct SafetyLines: Sendable, Equatable {
    /// What is said after a check.
    package enum Closing: String, Sendable, CaseIterable {
        case better
        case betterUnannounced = "better_unannounced"
        case scamYes = "scam_yes"
        case scamNo = "scam_no"
        case late
        /// The answers to "Shall I tell your family?", of what is no danger.
        case offerAccepted = "offer_accepted"
        case offerDeclined = "offer_declined"
        /// While a critical matter is open.
        case staying
        /// Emergency services have been called, or not.
        case called
        case notCalled = "not_called"
        /// Those who help are there.
        case helpCame = "help_came"

        /// What is said instead where nobody close may be said to be told.
        var unannounced: Closing {
            switch self {
            case .better: .betterUnannounced
            case .scamYes: .scamNo
            default: self
            }
        }
    }

    /// The languages in which every line is written.
    package static let languages = ["en", "es"]

    /// Every line, in the file's order.
    package let lines: [SafetyLine]
    private let closings: [Closing: SafetyLine]

    /// Reads the lines.
    ///
    /// - Parameters:
    ///   - text: The file's text.
    ///   - file: What errors call it.
    package init(_ text: String, file: String) throws(YAMLError) {
        let root = try YAML.parse(text, file: file).mapping()
        try root.refuseKeys(except: ["lines", "others"])
        var lines: [SafetyLine] = []
        for node in try root.required("lines").sequence() { lines.append(try Self.line(node)) }
        self.lines = lines
        let after = try root.required("others").mapping()
        try after.refuseKeys(except: Closing.allCases.map(\.rawValue))
        var closings: [Closing: SafetyLine] = [:]
        for closing in Closing.allCases {
            let node = try after.required(closing.rawValue)
            let mapping = try node.mapping()
            try mapping.refuseKeys(except: Self.languages)
            closings[closing] = SafetyLine(
                category: nil,
                level: .none,
                words: try Self.words(mapping),
                unannounced: nil,
                worse: nil,
                raises: nil
            )
        }
        self.closings = closings
        for level in [Level.critical, .high] where line(.distress, level) == nil {
            throw .invalidValue(at: root.position, expected: "a line for any category at \(level)", found: "none")
        }
    }

    /// The line of a category at a level: its own, or its next graver one, or that of any category.
    package func line(_ category: Category, _ level: Level) -> SafetyLine? {
        let own = lines.filter { $0.category == category }.sorted { $0.level < $1.level }
        if let exact = own.last(where: { $0.level == level }) { return exact }
        if category == .scam { return own.first }
        if level >= .high, let general = lines.first(where: { $0.category == nil && $0.level == level }) {
            return general
        }
        return nil
    }

    /// What is said after a check, or while a critical matter is open.
    package func closing(_ closing: Closing, in language: String, isUnannounced: Bool = false) -> FixedReply {
        let reply = closings[isUnannounced ? closing.unannounced : closing]?.reply(in: language)
        return FixedReply(text: reply?.text ?? "", asks: reply?.text.contains("?") == true)
    }

    func closing(_ closing: Closing, to listener: Listener) -> FixedReply {
        self.closing(closing, in: listener.language, isUnannounced: listener.isUnannounced)
    }

    private static let keys = ["category", "level", "en", "es", "unannounced", "worse", "raises"]

    private static func line(_ node: YAMLNode) throws(YAMLError) -> SafetyLine {
        let mapping = try node.mapping()
        try mapping.refuseKeys(except: keys)
        let category = try mapping.string("category")
        let worse = try value(mapping, "worse") { SafetyLine.WorseAnswer(rawValue: $0) }
        return SafetyLine(
            category: category == "any" ? nil : try value(mapping, "category") { Category(rawValue: $0) },
            level: try value(mapping, "level") { Level(rawValue: $0) } ?? .none,
            words: try words(mapping),
            unannounced: try unannounced(mapping),
            worse: worse,
            raises: try value(mapping, "raises") { Level(rawValue: $0) }
        )
    }

    private static func value<Value>(
        _ mapping: YAMLMapping,
        _ key: String,
        _ read: (String) -> Value?
    ) throws(YAMLError) -> Value? {
        guard let node = mapping[key] else { return nil }
        let text = try node.string()
        guard let value = read(text) else {
            throw .invalidValue(at: node.position, expected: "a known \(key)", found: text)
        }
        return value
    }

    private static func unannounced(_ mapping: YAMLMapping) throws(YAMLError) -> [String: String]? {
        guard let node = mapping["unannounced"] else { return nil }
        let mapping = try node.mapping()
        try mapping.refuseKeys(except: languages)
        return try words(mapping)
    }

    private static func words(_ mapping: YAMLMapping) throws(YAMLError) -> [String: String] {
        var words: [String: String] = [:]
        for language in languages {
            let node = try mapping.required(language)
            let text = try node.string()
            guard (1...Turn.maximumWords).contains(WordCount.of(text)), text.last.map({ ".?!".contains($0) }) == true
            else {
                throw .invalidValue(
                    at: node.position,
                    expected: "1 to \(Turn.maximumWords) words and closing punctuation",
                    found: text
                )
            }
            words[language] = text
        }
        return words
    }
}
