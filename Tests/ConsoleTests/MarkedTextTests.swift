import Testing

@testable import Console

@Suite struct MarkedTextTests {
    @Test(arguments: [
        ([MarkedText.Mark(2..<6, "a")], "I <mark title=\"a\">fell</mark> down"),
        ([.init(2..<6, "a"), .init(4..<11, "b")], "I <mark title=\"a, b\">fell down</mark>"),
        ([.init(7..<11, "b"), .init(2..<6, "a")], "I <mark title=\"a\">fell</mark> <mark title=\"b\">down</mark>"),
        ([.init(2..<6, "a"), .init(2..<6, "a")], "I <mark title=\"a\">fell</mark> down"),
        ([.init(20..<30, "a")], "I fell down"), ([.init(3..<3, "a")], "I fell down"), ([], "I fell down"),
        ([.init(0..<99, "a")], "<mark title=\"a\">I fell down</mark>"),
    ]) func `spans are marked in the text`(_ marks: [MarkedText.Mark], _ markup: String) {
        #expect(MarkedText("I fell down", marks).html.text == markup)
    }

    @Test(arguments: 0..<6, 0..<6) func `no character is cut in two`(_ start: Int, _ length: Int) {
        let marked = MarkedText("a😀ä", [.init(start..<start + length, "x")]).html.text
        let text = marked.replacing("<mark title=\"x\">", with: "").replacing("</mark>", with: "")
        #expect(text == "a😀ä")
    }
}
