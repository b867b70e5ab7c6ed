import Domain
import Testing

@testable import Safety

/// A search of all packs at once finds for each pack what the pack's own search finds.
@Suite struct JointSearchTests {
    private static let hostile = [
        "", "?!", "no", String(repeating: "i fell and hit my head ", count: 200),
        "my card is 4000 1234 5678 9010 and i paid $500, or 500 euros, on the third of may",
        "I FELL!!! i can't get up... me caí, ¿qué hago? no no no no",
    ]

    @Test(arguments: [RulePack.Use.input, .output])
    func `each pack matches the same alone and together with the others`(_ use: RulePack.Use) throws {
        let edition = try RuleSet(folder: RulesFolder.path).edition
        let packs = (use == .input ? edition.inputPacks : edition.outputPacks).map(\.pack)
        let search = try #require(use == .input ? edition.inputSearch : edition.outputSearch)
        var found = 0
        for text in HarmlessSentences.all + DangerousReplies.all + Self.hostile {
            let normal = Normaliser().normalise(text)
            let hits = try #require(search.hits(in: normal))
            #expect(hits.count == packs.count)
            for (place, pack) in packs.enumerated() {
                let together = pack.patterns.matches(in: normal, known: hits[place])
                #expect(together == pack.patterns.matches(in: normal), "\(pack.name): \(text)")
                found += together?.count ?? 0
            }
        }
        #expect(found > 500)
    }

    @Test func `a text with more hits than speech can have is left to each pack's own search`() throws {
        let search = try #require(try RuleSet(folder: RulesFolder.path).edition.inputSearch)
        let normal = Normaliser().normalise(String(repeating: "help police. ", count: 40_000))
        #expect(search.hits(in: normal) == nil)
    }

    @Test func `rule sets of the same packs share their search`() throws {
        let first = try RuleSet(folder: RulesFolder.path).edition.inputSearch
        let second = try RuleSet(folder: RulesFolder.path).edition.inputSearch
        #expect(first != nil && first === second)
    }
}
