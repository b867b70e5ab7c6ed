import Runtime
import Testing

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
