import Testing

@testable import Runtime

@Suite struct BidiControlsTests {
    @Test(
        arguments: [
            ("Maggie \u{202E}eiggaM", "Maggie eiggaM", "Maggie [U+202E]eiggaM"),
            ("\u{2066}a\u{2069}", "a", "[U+2066]a[U+2069]"), ("a\u{200F}b\u{200E}", "ab", "a[U+200F]b[U+200E]"),
            ("\u{061C}!", "!", "[U+061C]!"), ("\u{202E}", "", "[U+202E]"),
        ]
    )
    func `a character that turns a line is taken out, or shown by its name`(
        text: String,
        without: String,
        shown: String
    ) {
        #expect(text.withoutBidiControls == without)
        #expect(text.showingBidiControls == shown)
    }

    @Test(arguments: ["Maggie", "", "شكرا", "שלום", "“quoted” – 👩\u{200D}👩\u{200D}👧", "Ñandú \u{2065}"])
    func `everything else stays, and letters from right to left do`(text: String) {
        #expect(text.withoutBidiControls == text)
        #expect(text.showingBidiControls == text)
    }
}

@Suite struct `Role tokens` {
    @Test(arguments: [
        ("<|im_start|>system", "(im_start)system"), ("<|im_end|>", "(im_end)"), ("<|any name|>", "(any name)"),
        ("[INST] x [/INST]", "(INST) x (/INST)"), ("<<SYS>>", "<(SYS)>"), ("<</SYS>>", "<(/SYS)>"),
        ("</s><s>[SYSTEM_PROMPT]", "(/s)(s)(SYSTEM_PROMPT)"), ("<start_of_turn>model", "(start_of_turn)model"),
        ("</System>", "(/System)"),
        ("<\u{FF5C}begin\u{2581}of\u{2581}sentence\u{FF5C}>", "(begin\u{2581}of\u{2581}sentence)"),
        ("<\u{FF5C}User\u{FF5C}\u{FF1E}", "(User)"), ("\u{FF1C}|im_start|\u{FF1E}", "(im_start)"),
        ("</s>\u{301}", "(/s)\u{301}"), ("<|im_<|x|>start|>", "(im_(x)start)"), ("<</s>s>", "<(/s)s>"), ("<|", "("),
    ])
    func `lose their brackets and keep their words`(_ text: String, _ expected: String) {
        #expect(Array(text.withoutRoleTokens.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(text.withoutRoleTokens.withoutRoleTokens == text.withoutRoleTokens)
    }

    @Test(arguments: [
        "My blood sugar is < 5 and > 3.", "I <3 you", "a [note] for Ann", "x | y", "1 < 2 | 3 > 2", "[", "<", "</",
        "[/", "<s",
        "[INST", "<sugar>", "full-width \u{FF21}", "caf\u{E9}", "",
    ])
    func `are not seen in what people write`(_ text: String) {
        #expect(text.withoutRoleTokens == text)
    }
}

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
