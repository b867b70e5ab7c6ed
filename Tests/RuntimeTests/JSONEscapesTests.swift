import Testing

@testable import Runtime

@Suite struct JSONEscapesTests {
    @Test(arguments: ["\"", "\\", "\u{0}", "\u{1F}", "\n"])
    func `an escape is found at every place of a text`(character: String) throws {
        for place in 0..<24 {
            let text =
                String(repeating: "a", count: place) + character + String(repeating: "é", count: 24 - place)
            let written = JSONValue.string(text).text
            #expect(try JSONReader.read(Array(written.utf8)) == .string(text))
            #expect(written.utf8.count > text.utf8.count + 2)
        }
    }

    @Test(arguments: [
        "", " ", "!", "#", "[", "]", "\u{7F}", "ÿ", "plain words of more than sixteen bytes", "日本語の文字",
    ])
    func `what needs no escape is written as it is`(text: String) {
        #expect(JSONValue.string(text).text == "\"\(text)\"")
    }

    @Test func `texts are the same by their bytes, not by their looks`() {
        #expect("content".hasSameBytes(as: "content"))
        #expect(!"content".hasSameBytes(as: "contents"))
        #expect(!"é".hasSameBytes(as: "e\u{301}"))
        #expect(!"a\u{301}\u{323}".hasSameBytes(as: "a\u{323}\u{301}"))
    }
}
