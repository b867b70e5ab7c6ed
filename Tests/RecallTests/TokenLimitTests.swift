import Testing

@testable import Recall

/// The cut before the engine, with a stand-in for its tokeniser.
struct TokenLimitTests {
    /// One token a letter that is no space, as a tokeniser does at its worst.
    private func lettersCounted(_ text: SafeText) -> Int { text.string.filter { $0 != " " }.count }

    private func tokenized(_ text: SafeText) -> TokenizedText {
        TokenizedText(text: text, count: lettersCounted(text), tokens: [])
    }

    @Test(arguments: [
        ("one two", "one two"),
        ("twelve letters", "twelve letters"),
        ("abcdefghijklmnop", "abcdefghijklmnop"),
        ("abcdefghijklmnopq", "abcdefghijklmnop"),
        ("the words of a sentence end", "the words of a sentence"),
        ("", ""),
    ])
    func `a text is cut to sixteen tokens, between words where there are any near`(_ text: String, _ cut: String) {
        let limit = TokenLimit(16)
        let result = limit.cut(text, tokenizing: tokenized).text.text.string
        #expect(lettersCounted(SafeText(result)) <= 16)
        #expect(text.hasPrefix(result))
        if cut.count <= 16 { #expect(result == cut) }
    }

    @Test(arguments: [
        ("abcdefghijklmnop", false), ("abcdefghijklmnopq", true), ("", false), ("one two three four five", true),
    ])
    func `a cut text says so`(_ text: String, _ isCut: Bool) {
        #expect(TokenLimit(16).cut(text, tokenizing: tokenized).isCut == isCut)
    }

    @Test func `a tokeniser that finds many tokens in everything leaves nothing`() {
        let cut = TokenLimit(16).cut("hello there") { TokenizedText(text: $0, count: 1_000, tokens: []) }
        #expect(cut.text.text.string.isEmpty)
    }
}
