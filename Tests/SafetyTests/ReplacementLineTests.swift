import Domain
import Testing
import YAML

@testable import Safety

/// The wordings that replace a model's reply, which take turns.
@Suite struct ReplacementLineTests {
    private func lines(_ yaml: String) throws -> [String: ReplacementLine] {
        try ReplacementLine.lines(try YAML.parse(yaml, file: "lines.yaml").mapping())
    }

    @Test func `three wordings take turns, and the one used longest ago comes again`() throws {
        let line = try #require(try lines("advice:\n  en: [One., Two., Three.]\n")["advice"])
        var said: [String] = []
        var heard: [String] = []
        for _ in 0..<5 {
            let reply = line.reply(in: "en", after: said)
            heard.append(reply.text)
            said = reply.ids + said
        }
        #expect(heard == ["One.", "Two.", "Three.", "One.", "Two."])
    }

    @Test func `a language without wordings gets those in English`() throws {
        let line = try #require(try lines("advice:\n  en: Ask a nurse.\n  es: Pregunte a una enfermera.\n")["advice"])
        #expect(line.reply(in: "es-MX", after: []).text == "Pregunte a una enfermera.")
        #expect(line.reply(in: "fr", after: []).text == "Ask a nurse.")
    }

    @Test(arguments: [
        "advice:\n  en: [One., Two.]\n", "advice:\n  en: [One., Two., Two.]\n", "advice:\n  en: []\n",
        "advice:\n  en: No end\n", "advice:\n  en: [One., Two., no end]\n", "advice:\n  es: [Uno., Dos., Tres.]\n",
        "advice:\n  en: \(String(repeating: "word ", count: 21)).\n", "advice: Ask a nurse.\n",
    ])
    func `too few wordings, the same twice, a long one, an open end, or none in English are refused`(yaml: String) {
        #expect(throws: YAMLError.self) { try lines(yaml) }
    }

    @Test func `each line of the packs that ship has three wordings in both languages`() throws {
        for pack in try RuleSet(folder: RulesFolder.path).packs {
            for (name, line) in pack.lines {
                for language in SafetyLines.languages {
                    #expect(line.words[language, default: []].count >= 3, "\(pack.name) \(name) \(language)")
                }
            }
        }
    }
}
