import Runtime
import Testing

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
