import Testing

@testable import API

@Suite struct TranscriptTests {
    @Test(
        arguments: [
            ("hello", "hello", 0), ("  hello \n", "hello", 0), ("one\ntwo\r\nthree\tfour", "one two  three four", 0),
            ("a\u{0}b\u{7}c\u{1B}[0m", "abc[0m", 3), ("\u{85}a\u{2028}b\u{9F}", "a b", 1),
            ("é\u{301}😀", "é\u{301}😀", 0),
            ("\u{3000}a\u{A0}", "a", 0), ("zero\u{200B}width", "zero\u{200B}width", 0), ("\u{7F}\u{80}", "", 2),
            ("", "", 0),
        ]
    )
    func `control characters go, lines become spaces, the rest stays`(raw: String, text: String, stripped: Int) {
        let transcript = Transcript(raw)
        #expect(Array(transcript.text.unicodeScalars) == Array(text.unicodeScalars))
        #expect(transcript.strippedCharacters == stripped)
    }
}
