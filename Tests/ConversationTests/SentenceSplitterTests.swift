import Conversation
import Domain
import Runtime
import Testing

/// Boundaries between sentences.
@Suite struct SentenceSplitterTests {
    @Test(arguments: [
        ("Hello there. How are you?", ["Hello there.", "How are you?"]),
        ("Dr. Smith called. Good.", ["Dr. Smith called.", "Good."]),
        ("It is 3.5 miles. Nice!", ["It is 3.5 miles.", "Nice!"]),
        ("Come at 8 a.m. tomorrow.", ["Come at 8 a.m. tomorrow."]),
        ("He said \"come in.\" Then he left.", ["He said \"come in.\"", "Then he left."]),
        ("One\nTwo", ["One", "Two"]),
        ("Well... I see.", ["Well...", "I see."]),
        ("So do I. And you?", ["So do I.", "And you?"]),
        ("J. R. came.", ["J. R. came."]),
        ("", []),
        ("  \n ", []),
        ("no end", ["no end"]),
    ])
    func `a whole text is divided into sentences`(text: String, sentences: [String]) {
        #expect(SentenceSplitter.sentences(of: text) == sentences)
    }

    @Test func `pieces of any size give the same sentences as the whole text`() {
        let text = "Good morning, Mrs. Jones! It's 8:30 a.m. now. Did you sleep well? \"I did.\" Lovely… Tell me more"
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var splitter = SentenceSplitter()
            var sentences: [String] = []
            var rest = Substring(text)
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9, using: &generator))
                sentences += splitter.append(String(piece))
                rest = rest.dropFirst(piece.count)
            }
            sentences += splitter.finish().map { [$0] } ?? []
            #expect(sentences == SentenceSplitter.sentences(of: text))
        }
    }

    @Test func `a sentence is not given out before what follows it has been seen`() {
        var splitter = SentenceSplitter()
        #expect(splitter.append("It costs 3.").isEmpty)
        #expect(splitter.append("50 today. ") == ["It costs 3.50 today."])
    }
}
