import Testing

@testable import Recall

/// Characters that the embedding engine cannot take never reach it.
struct SafeTextTests {
    @Test(arguments: [
        ("Hello, Rosa.", "Hello, Rosa."),
        ("", ""),
        ("before\u{0}after", "before after"),
        ("\u{FDFA}", "صلى الله عليه وسلم"),
        ("a\u{FDFA}b\u{FDFA}", "aصلى الله عليه وسلمbصلى الله عليه وسلم"),
        ("¿Cómo está? 👵", "¿Cómo está? 👵"),
    ])
    func `what the engine cannot take is replaced and the rest kept`(_ text: String, _ safe: String) {
        #expect(SafeText(text).string == safe)
    }
}
