import Safety
import Testing

/// Words by which a text is looked up, most of which are not there.
struct WordTableTests {
    private let table = WordTable(["um": 1, "cannot": 2, "a": 3])

    @Test func `a word is found by its letters alone`() {
        #expect(table["um"] == 1)
        #expect(table["cannot"] == 2)
        #expect(table["a"] == 3)
    }

    @Test(arguments: ["", "u", "umm", "am", "uh", "canno7", "cannott", "ü", "u\u{308}m", "a\u{301}"])
    func `another word is not found`(word: String) {
        #expect(table[word] == nil)
    }

    @Test func `a set of words has its words and no others`() {
        let words = WordTable(words: ["dr", "mrs", "dr"])
        #expect(words.contains("dr"))
        #expect(words.contains("mrs"))
        #expect(!words.contains("mr"))
        #expect(!WordTable(words: []).contains(""))
    }
}
