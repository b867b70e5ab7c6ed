import Conversation
import Cryptography
import Foundation
import Testing

@testable import Safety

/// The learned head: what it is trained on, what it says, and what it refuses.
struct ExemplarHeadTests {
    private static let folder = RulesFolder.root.appending(path: "prompts/exemplars").path

    @Test func `the exemplars are as many as the floor asks, and no sentence is there twice`() throws {
        let reader = try ExemplarReader(folder: Self.folder)
        #expect(reader.exemplars.count(where: \.isRisk) >= 400)
        #expect(reader.exemplars.count { !$0.isRisk } >= 600)
        #expect(Set(reader.exemplars.map(\.text)).count == reader.exemplars.count)
        #expect(Set(reader.exemplars.map(\.group)).count >= 80)
    }

    @Test func `the shipped head was trained on the shipped exemplars`() throws {
        let head = try HeadFile.read(Self.folder, for: HeadFile.space(of: Self.folder))
        #expect(head.dimension == 384)
        #expect(head.thresholds.sure >= head.thresholds.found)
    }

    @Test func `training twice gives the same numbers`() {
        let made = MadeExemplars()
        #expect(made.training.run().head == made.training.run().head)
    }

    @Test func `danger is told from ordinary talk by the vector alone`() {
        let made = MadeExemplars()
        let head = made.training.run().head
        let danger = head.suspicion(of: made.vector(near: 0, turned: 0.05))
        #expect(danger.isFound && danger.category == .fall && danger.level <= .high)
        #expect(danger.group.hasPrefix("falls"))
        #expect(!head.suspicion(of: made.vector(near: 2, turned: 0.05)).isFound)
    }

    @Test func `an exemplar alone never says that a life is in danger`() {
        let made = MadeExemplars(level: .critical)
        let head = made.training.run().head
        let levels = (0..<20).map { head.suspicion(of: made.vector(near: 0, turned: Float($0) / 100)).level }
        #expect(levels.allSatisfy { $0 < .critical } && levels.contains { $0 > .none })
    }

    @Test func `no more ordinary exemplars than stated pass the threshold when their groups are left out`() {
        let figures = MadeExemplars().training.run().figures
        #expect(figures.groupsLeftOut.falseAlarms <= HeadSettings().falseAlarmRate)
        #expect(figures.risk == 80 && figures.ordinary == 80)
    }

    @Test func `packed vectors keep their cosines`() {
        let made = MadeExemplars()
        var packed = PackedVectors(dimension: MadeExemplars.dimension)
        for vector in made.vectors { packed.append(vector) }
        var asked = PackedVectors(dimension: MadeExemplars.dimension)
        asked.append(made.vectors[3])
        for (vector, cosine) in zip(made.vectors, packed.cosines(with: asked)) {
            let exact = zip(vector, made.vectors[3]).reduce(Float(0)) { $0 + $1.0 * $1.1 }
            #expect(abs(exact - cosine) < 0.01)
        }
    }

    @Test func `a head is read back as it was written`() throws {
        try ScratchExemplars.with { scratch in
            let head = try scratch.train()
            #expect(try HeadFile.read(scratch.folder, for: "made") == head)
        }
    }

    @Test func `a head of other exemplars, another space or damaged numbers is refused by name`() throws {
        try ScratchExemplars.with { scratch in
            _ = try scratch.train()
            #expect(throws: ExemplarError.otherSpace(trained: "made", found: "e5")) {
                try HeadFile.read(scratch.folder, for: "e5")
            }
            try Data([1, 2, 3]).write(to: URL(filePath: scratch.folder + "/head.bin"))
            #expect(throws: ExemplarError.damaged(file: scratch.folder + "/head.bin")) {
                try HeadFile.read(scratch.folder, for: "made")
            }
            try scratch.write(extra: "One more sentence.")
            let found = try ExemplarReader(folder: scratch.folder).digest.hex
            #expect(throws: ExemplarError.otherExemplars(trained: scratch.digest, found: found)) {
                try HeadFile.read(scratch.folder, for: "made")
            }
        }
    }

    @Test func `a screen whose head cannot be used says so and goes on with the rules`() throws {
        let book = try RuleBook(folder: RulesFolder.path)
        let exemplars = ExemplarBook(folder: Self.folder, space: "another space")
        let screen = RuleScreen(book, exemplars: exemplars)
        let heard = screen.screen(vector: [Float](repeating: 0, count: 384), of: "I fell.")
        #expect(heard.failures.count == 1 && heard.failures[0].hasPrefix("exemplars: "))
        #expect(screen.screen("I fell.").level == .medium)
    }

    @Test func `a vector of another length is a failure, and never a crash`() throws {
        let space = try HeadFile.space(of: Self.folder)
        let exemplars = ExemplarBook(folder: Self.folder, space: space)
        let screen = RuleScreen(try RuleBook(folder: RulesFolder.path), exemplars: exemplars)
        #expect(!screen.screen(vector: [1, 0, 0], of: "hello").failures.isEmpty)
        #expect(screen.screen(vector: [Float](repeating: 0, count: 384), of: "hello").failures.isEmpty)
    }

    @Test func `a head that cannot be read again leaves the one before in force`() throws {
        try ScratchExemplars.with { scratch in
            let head = try scratch.train()
            let book = ExemplarBook(folder: scratch.folder, space: "made")
            try Data("{".utf8).write(to: URL(filePath: scratch.folder + "/head.json"))
            #expect(throws: ExemplarError.damaged(file: scratch.folder + "/head.json")) { try book.reload() }
            #expect(try book.head.get() == head)
        }
    }

    @Test(arguments: [
        ("exemplars: 5", 1), ("exemplars:\n  - group: a\n    category: none\n    level: high\n    texts: [x]", 2),
        ("exemplars:\n  - group: a\n    category: fall\n    level: none\n    texts: [x]", 2),
        ("exemplars:\n  - group: a\n    category: falling\n    level: high\n    texts: [x]", 3),
        ("exemplars:\n  - group: a\n    category: fall\n    level: high\n    texts: [x, x]", 5),
        ("exemplars:\n  - group: a\n    colour: red", 3), ("exemplars:\n  - group: a\n    category: fall", 2),
    ])
    func `a wrong file of exemplars is refused with its line`(text: String, line: Int) throws {
        try ScratchExemplars.with { scratch in
            try Data(text.utf8).write(to: URL(filePath: scratch.folder + "/wrong.yaml"))
            do {
                _ = try ExemplarReader(folder: scratch.folder)
                Issue.record("read: \(text)")
            } catch ExemplarError.malformed(let error) {
                #expect("\(error)".contains("wrong.yaml:\(line):"), "\(error)")
            }
        }
    }
}
