import Conversation
import Foundation
import Testing

@testable import Safety

/// The head that hears what a model writes.
@Suite struct ReplyHeadTests {
    @Test func `the shipped head was trained on the shipped sentences`() throws {
        let folder = RulesFolder.root.appending(path: "prompts/replies").path
        let head = try HeadFile.read(folder, for: HeadFile.space(of: folder))
        #expect(head.exemplars.count { $0.isRisk } >= 800)
        #expect(head.exemplars.count { !$0.isRisk } >= 800)
    }

    @Test func `a sentence near what may not be said is left out, and one near small talk is not`() throws {
        try ScratchExemplars.with { scratch in
            _ = try scratch.train()
            let screen = try screen(ExemplarBook(folder: scratch.folder, space: "made"))
            let made = MadeExemplars()
            #expect(screen.listening == .on)
            guard case .drop(let rule) = screen.screen("…", vector: made.vector(near: 0, turned: 0.1)) else {
                Issue.record("said")
                return
            }
            #expect(rule.hasPrefix("replies.falls"))
            #expect(screen.screen("…", vector: made.vector(near: 2, turned: 0.1)) == .pass)
        }
    }

    @Test func `a vector of another length lets pass`() throws {
        try ScratchExemplars.with { scratch in
            _ = try scratch.train()
            let screen = try screen(ExemplarBook(folder: scratch.folder, space: "made"))
            #expect(screen.screen("…", vector: [1, 2, 3]) == .pass)
        }
    }

    @Test func `a head that cannot be used is named, and none is meant where none was given`() throws {
        let missing = try screen(ExemplarBook(folder: "/nowhere", space: "any"))
        guard case .failed = missing.listening else {
            Issue.record("\(missing.listening)")
            return
        }
        #expect(missing.screen("…", vector: [1]) == .pass)
        #expect(try screen(nil).listening == .off)
    }

    private func screen(_ replies: ExemplarBook?) throws -> ReplyOutputScreen {
        ReplyOutputScreen(try RuleBook(folder: RulesFolder.path), replies: replies)
    }
}
