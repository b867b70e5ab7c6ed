import Cryptography
import Testing

/// Strength of passwords.
struct PasswordStrengthTests {
    @Test(arguments: [
        ("password1234", 10.0), ("Password123!", 10), ("123456789012", 10), ("letmeinletmein", 10),
        ("qwertyuiopas", 20), ("1qaz2wsx3edc", 25), ("laura12345678", 10), ("Laura.Brown2", 25), ("abcdefghijkl", 10),
        ("", 1),
    ])
    func `what many choose has few bits`(password: String, most: Double) {
        #expect(PasswordStrength.bits(of: password, knowing: ["laura", "brown"]) < most)
    }

    @Test(arguments: ["correct horse battery staple", "x7$kQ9mz!r2L", "the blue pill at eight", "ñandú sobre la mesa"])
    func `what few choose has many bits`(password: String) {
        #expect(PasswordStrength.bits(of: password) > 40)
    }

    @Test func `words of the account count for those who know it alone`() {
        let password = "rosalinda-quimby"
        #expect(PasswordStrength.bits(of: password, knowing: ["Rosalinda", "Quimby"]) < 20)
        #expect(PasswordStrength.bits(of: password) > 30)
    }

    @Test func `the longest passwords are rated too`() {
        for text in [String(repeating: "a", count: 128), String(repeating: "1i|", count: 42), "\u{0}", "👵🏽👵🏽👵🏽"] {
            #expect(PasswordStrength.bits(of: text) >= 0)
        }
    }
}
