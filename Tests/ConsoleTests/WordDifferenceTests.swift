import Runtime
import Testing

@testable import Console

/// Differences between two answers, word by word.
struct WordDifferenceTests {
    @Test(arguments: [
        ("", "", [WordDifference.Piece]()),
        ("How nice.", "How nice.", [.same("How nice.")]),
        ("How nice.", "How very nice.", [.same("How"), .added("very"), .same("nice.")]),
        ("How very nice.", "How nice.", [.same("How"), .removed("very"), .same("nice.")]),
        ("Call me.", "Ring me.", [.removed("Call"), .added("Ring"), .same("me.")]),
        ("", "Hello there", [.added("Hello there")]),
        ("Hello there", "", [.removed("Hello there")]),
        ("a  b\nc", "a b c", [.same("a b c")]),
    ])
    func `pieces are told in order, the old words before the new`(
        old: String,
        new: String,
        pieces: [WordDifference.Piece]
    ) {
        let difference = WordDifference(old, new)
        #expect(difference.pieces == pieces)
        #expect(difference.isEmpty == (pieces.isEmpty || pieces == [.same(new)] || pieces == [.same("a b c")]))
    }

    @Test func `both texts can be read out of the pieces, whatever the words`() {
        var random = SeededGenerator(seed: 11)
        let words = ["a", "b", "c", "d", "e"]
        for _ in 0..<200 {
            let old = (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement() ?? "a" }
            let new = (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement() ?? "a" }
            let pieces = WordDifference(old.joined(separator: " "), new.joined(separator: " ")).pieces
            let before = pieces.compactMap { if case .added = $0 { nil } else { $0.words } }.joined(separator: " ")
            let after = pieces.compactMap { if case .removed = $0 { nil } else { $0.words } }.joined(separator: " ")
            #expect(before == old.joined(separator: " ") && after == new.joined(separator: " "))
        }
    }

    @Test func `words that look like markup are words`() {
        let html = WordDifference("say hello", "say <script>alert(1)</script>").html.text
        #expect(!html.contains("<script"))
        #expect(html.contains("<ins>&lt;script&gt;alert(1)&lt;/script&gt;</ins>"))
    }

    @Test func `a text without end is told as changed whole`() {
        let long = String(repeating: "word ", count: 3_000)
        #expect(WordDifference(long, long + "more").pieces.count == 2)
        #expect(WordDifference(long, long).isEmpty)
    }
}

extension WordDifference.Piece {
    fileprivate var words: String {
        switch self {
        case .same(let words), .removed(let words), .added(let words): words
        }
    }
}
