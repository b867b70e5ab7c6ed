import Conversation
import Domain
import Foundation
import Safety
import Synchronization
import Testing

/// Loading packs: what is refused and where, and what stays in force meanwhile.
struct RuleSetTests {
    @Test func `every pack that ships is in force`() throws {
        let book = try RuleSet(folder: RulesFolder.path)
        #expect(book.refusals.map(\.reason.description) == [])
        #expect(book.packs.count >= 14)
        #expect(Set(book.packs.map(\.language)) == ["en", "es"])
    }

    @Test func `every rule has examples of both kinds and says how it fails`() throws {
        for pack in try RuleSet(folder: RulesFolder.path).packs {
            for rule in pack.rules {
                #expect(!rule.positives.isEmpty && !rule.traps.isEmpty, "\(rule.id)")
                let protects = [Rule.Action.refer, .protect, .emergency].contains { action in
                    rule.consequence == .verdict(action, line: "")
                }
                let failsClosed = rule.fails == (protects ? .open : .alert)
                #expect(pack.use == .input || failsClosed, "\(rule.id) would let a model speak unread")
            }
        }
    }

    private static let broken: [(what: String, pack: String, line: Int, says: String)] = [
        ("no YAML", "pack: [home", 2, "home.yaml"),
        ("no fails", ScratchRules.pack(head: "about: it"), 1, "fails"),
        ("an unknown key", ScratchRules.pack(head: "fails: open\ncolour: red"), 5, "colour"),
        ("an unknown level", ScratchRules.pack().replacing("critical", with: "dire"), 8, "dire"),
        ("an unknown category", ScratchRules.pack().replacing("environment", with: "weather"), 7, "weather"),
        ("an unknown guard", ScratchRules.pack().replacing("[negation]", with: "[denial]"), 9, "denial"),
        ("an unknown posture", ScratchRules.pack(head: "fails: shut"), 4, "shut"),
        ("a group that is not closed", ScratchRules.pack(ScratchRules.rule(pattern: "(house on fire")), 10, "pattern"),
        ("a list that is not there", ScratchRules.pack(ScratchRules.rule(pattern: "{house} on fire")), 10, "pattern"),
        ("a pattern of gaps", ScratchRules.pack(ScratchRules.rule(pattern: "~3 ~4")), 10, "pattern"),
        ("a gap without end", ScratchRules.pack(ScratchRules.rule(pattern: "house ~4000 fire")), 10, "pattern"),
        (
            "no pattern", ScratchRules.pack().replacing("patterns: [\"house ~3 on fire\"]", with: "confidence: 0.9"), 6,
            "fire"
        ),
        (
            "no positives", ScratchRules.pack().replacing("positives: [The house is on fire.]", with: "positives: []"),
            6, "positives"
        ),
        (
            "no traps", ScratchRules.pack().replacing("traps: [The house is not on fire.]", with: "traps: []"), 6,
            "traps"
        ),
        (
            "a positive that is missed", ScratchRules.pack().replacing("The house is on", with: "The barn is on"), 11,
            "does not fire"
        ),
        ("a trap that fires", ScratchRules.pack().replacing("is not on", with: "is now on"), 12, "fires on the trap"),
        ("one name twice", ScratchRules.pack(ScratchRules.rule() + "\n" + ScratchRules.rule()), 13, "twice"),
        (
            "a signal that is not there",
            ScratchRules.pack(ScratchRules.rule(extra: "    unless: [drill]\n")), 11, "drill"
        ),
        ("a language without cues", ScratchRules.pack().replacing("language: en", with: "language: fr"), 0, "cues-fr"),
    ]

    @Test(arguments: broken.indices)
    func `a broken pack is refused with its file and line, and the last good one stays`(index: Int) throws {
        let broken = Self.broken[index]
        try ScratchRules.with { rules in
            let book = try rules.book()
            let screen = RuleScreen(book)
            try rules.write(broken.pack, to: "home.yaml")
            let refusals = try book.reload()
            #expect(refusals.map(\.file) == ["home.yaml"], "\(broken.what)")
            let reason = refusals.first?.reason.description ?? ""
            #expect(reason.contains(broken.says), "\(broken.what): \(reason)")
            #expect(broken.line == 0 || reason.contains("home.yaml:\(broken.line):"), "\(broken.what): \(reason)")
            #expect(refusals.first?.keepsEarlier == true)
            #expect(screen.screen("The house is on fire.").level == .critical, "\(broken.what)")
            #expect(screen.screen("The house is on fire.").failures.isEmpty)
        }
    }

    @Test func `a pack that was never good is missing, and every screening says so`() throws {
        try ScratchRules.with { rules in
            try rules.write("pack: [", to: "falls.yaml")
            let screening = RuleScreen(try rules.book()).screen("The house is on fire.")
            #expect(screening.failures == ["rules: falls.yaml"])
            #expect(screening.level == .critical)
        }
    }

    @Test func `a folder without packs, or with wrong cues, does not load at all`() throws {
        try ScratchRules.with { rules in
            try rules.write("cues: {mood: [sad]}", to: "cues-en.yaml")
            #expect(throws: RulePackError.self) { try rules.book() }
            #expect(throws: RulePackError.self) { try RuleSet(folder: rules.folder.path + "/none") }
        }
    }

    @Test func `packs are exchanged while turns are screened, and none of them sees half of one`() throws {
        try ScratchRules.with { rules in
            let book = try rules.book()
            let screen = RuleScreen(book)
            let isOver = Mutex(false)
            let screened = Mutex(0)
            let threads = (0..<2).map { _ in
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    while !isOver.withLock({ $0 }) {
                        let found = screen.screen("The house is on fire, the barn is burning.").findings.map(\.rule)
                        let isWhole = found == ["home.fire"] || found == ["home.barn"]
                        screened.withLock { $0 += isWhole ? 1 : -1_000_000 }
                    }
                    done.signal()
                }
                return done
            }
            for round in 0..<60 {
                let barn = ScratchRules.rule(id: "barn", pattern: "barn ~2 burning")
                    .replacing("The house is on fire", with: "The barn is burning")
                    .replacing("house is not on fire", with: "barn is not burning")
                try rules.write(
                    ScratchRules.pack(round.isMultiple(of: 2) ? barn : ScratchRules.rule()),
                    to: "home.yaml"
                )
                #expect(try book.reload().isEmpty)
            }
            isOver.withLock { $0 = true }
            for thread in threads { thread.wait() }
            #expect(screened.withLock { $0 } > 0)
        }
    }
}
