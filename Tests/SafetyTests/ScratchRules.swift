import Foundation
import Safety

/// A folder with one small pack and its cues, which a test may break; gone after the test.
struct ScratchRules {
    let folder: URL

    static func with(_ body: (ScratchRules) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let rules = ScratchRules(folder: folder)
        try rules.write(cues, to: "cues-en.yaml")
        try rules.write(pack(), to: "home.yaml")
        try body(rules)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    func book() throws -> RuleSet { try RuleSet(folder: folder.path) }

    static let cues = """
        cues:
          negation:
            - (not|no|never)
          speaker:
            - (i|my)
        """

    /// A pack of one rule, from line 6 on.
    static func pack(_ rule: String = rule(), head: String = "fails: open") -> String {
        """
        pack: home
        language: en
        use: input
        \(head)
        rules:
        \(rule)
        """
    }

    static func rule(id: String = "fire", pattern: String = "house ~3 on fire", extra: String = "") -> String {
        """
          - id: \(id)
            category: environment
            level: critical
            guards: [negation]
            patterns: ["\(pattern)"]
        \(extra)    positives: [The house is on fire.]
            traps: [The house is not on fire.]
        """
    }
}
