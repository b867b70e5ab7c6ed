import Testing

@testable import Recall

/// Words of a sentence that are looked up exactly.
struct ExactWordTests {
    @Test(arguments: [
        ("When does Rosa come?", ["Rosa"]),
        ("Did I take my lisinopril today?", ["lisinopril"]),
        ("I saw Anna and Tommy at Saint Mary's", ["Anna", "Tommy", "Saint", "Mary"]),
        ("¿Dónde está Canelo?", ["Canelo"]),
        ("¿Cuándo viene el señor Peña?", ["Peña", "viene", "señor"]),
        ("Take 20 mg of it", ["20"]),
        ("room 4B", ["room", "4B"]),
        ("Rosa, Rosa, rosa!", ["Rosa"]),
        ("Is Al there?", ["Al"]),
    ])
    func `names, numbers and uncommon words are looked up, names first`(_ sentence: String, _ words: [String]) {
        #expect(ExactWord.words(in: sentence).map(\.text) == words)
    }

    @Test(arguments: [
        "", " ", "?!…", "I don't know what to do.", "It is good to see you again.", "Buenos días, ¿cómo está usted?",
        "ok", "👵🏽❤️", "Yes. No. Yes.", "We went up to go in.",
    ])
    func `what is said every day is not looked up`(_ sentence: String) {
        #expect(ExactWord.words(in: sentence).isEmpty)
    }

    @Test func `a long message is looked up by twelve words at most, names before others`() {
        let words = (0..<40).map { "uncommonword\($0)" }.joined(separator: " ") + " and then Rosa"
        let found = ExactWord.words(in: words)
        #expect(found.count == ExactWord.most)
        #expect(found.first == ExactWord(text: "Rosa", isName: true))
    }

    @Test(arguments: [(false, 3, 2), (false, 100, 2), (false, 1_000, 20), (true, 3, 4), (true, 1_000, 100)])
    func `a word is rare in one memory of fifty, a name in one of ten`(_ isName: Bool, _ memories: Int, _ limit: Int) {
        #expect(ExactWord(text: "Rosa", isName: isName).rareLimit(among: memories) == limit)
    }

    @Test func `a rarer word counts more`() {
        #expect(ExactWord.weight(in: 1, among: 100) > ExactWord.weight(in: 10, among: 100))
        #expect(ExactWord.weight(in: 100, among: 100) > 0)
    }
}
