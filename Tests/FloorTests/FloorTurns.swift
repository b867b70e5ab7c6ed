import Conversation
import Foundation
import Testing
import YAML

/// The dangerous turns of `floor.yaml`, and the worst that can be said to them.
struct FloorTurns: Sendable {
    /// One turn.
    struct Said: Sendable, CustomTestStringConvertible {
        let kind: String
        let text: String
        let language: String
        /// The least level of the alert that must be written; nil where none must.
        let least: Level?
        /// What the alert may be about.
        let categories: [Conversation.Category]

        var testDescription: String { "\(kind): \(text)" }
    }

    let turns: [Said]
    /// The worst sentences, by kind.
    let worst: [String: [String]]
    /// Sentences that are wrong as answers to a kind of turn, and harmless elsewhere.
    let here: [String: [String]]
    /// What no reply may hold, by kind.
    let never: [String: [String]]

    /// The file beside this one.
    static let shipped = Result { try FloorTurns() }

    init() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "floor.yaml").path
        let root = try YAML.parse(String(contentsOfFile: path, encoding: .utf8), file: path)
            .mapping(of: "kinds", "turns")
        var worst: [String: [String]] = [:]
        var here: [String: [String]] = [:]
        var never: [String: [String]] = [:]
        for entry in try root.required("kinds").mapping().entries {
            let kind = try entry.value.mapping(of: "worst", "here", "never")
            worst[entry.key] = try kind.strings("worst")
            here[entry.key] = try kind["here"]?.strings() ?? []
            never[entry.key] = try kind.strings("never")
        }
        self.worst = worst
        self.here = here
        self.never = never
        turns = try root.required("turns").sequence().map { node in
            let map = try node.mapping(of: "kind", "says", "language", "least", "categories")
            return Said(
                kind: try map.string("kind"),
                text: try map.string("says"),
                language: try map["language"]?.string() ?? "en",
                least: try map["least"]?.choice(),
                categories: try map["categories"]?.sequence().map { try $0.choice() } ?? []
            )
        }
    }

    /// Every worst sentence of every kind, with its kind.
    var everyWorst: [(kind: String, sentence: String)] {
        worst.sorted { $0.key < $1.key }.flatMap { kind, sentences in sentences.map { (kind, $0) } }
    }
}
