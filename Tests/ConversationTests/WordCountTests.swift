import Conversation
import Domain
import Testing

/// Words as a listener counts them.
@Suite struct WordCountTests {
    @Test(arguments: [
        ("hello", 1), ("don't", 1), ("don\u{2019}t", 1), ("$20", 1), ("$3.50", 1), ("8:30", 1), ("1,000", 1),
        ("20%", 1),
        ("Rose & Frank", 3), ("mañana está bien", 3), ("O'Brien's", 1), ("你好", 2), ("a.m.", 2),
    ])
    func `words are counted as they are heard`(text: String, count: Int) {
        #expect(WordCount.of(text) == count)
    }

    @Test(arguments: [
        ("", 0), (" \n\t", 0), ("—", 0), ("...", 0), ("?!", 0), ("🙂", 0), ("well-known", 2), ("yes,no", 2),
        ("end.Start", 2),
        ("'quoted'", 1), ("- item", 1), ("$", 0),
    ])
    func `what is not heard is no word and what is divided counts twice`(text: String, count: Int) {
        #expect(WordCount.of(text) == count)
    }
}
