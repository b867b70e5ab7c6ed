/// Texts that were made to take long: the longest that are read, of what the packs look for, and of what looks odd.
enum HostileTexts {
    /// The most characters that a message may have.
    private static let longest = 4_000

    static let all: [String] = [
        "a", "a ", "I ", "i fell ", "not ", "he said my ", "pay the gift card ", "my grandson ", "nine one one ",
        "one hundred thousand ", "www.", "a.b.c.", "http://x.", "@@@", "$$$ ", "1,000,", "''''", "don't've ",
        "g i f t c a r d ", "f-e-l-l ", "\u{200B}", "e\u{301}\u{302}", "ﬃ", "𝓯𝓮𝓵𝓵 ", "中文", "😢", ". ", "?! ",
        "if i fell and he said not ", "caller he wants money from my bank now ", "fellllllll", "um ", "take two pills ",
        "call me call you ", "the the ", "x.com/", "\n", "\u{0}", "ﷺ", "k!ll ", "-", "no no ",
    ].map { String(String(repeating: $0, count: longest / $0.unicodeScalars.count + 1).unicodeScalars.prefix(longest)) }
}
