import Cryptography
import Testing

@Suite struct PasswordHashTests {
    @Test func `a hash fits its secret and no other`() {
        let hash = PasswordHash(of: "correct horse")
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(hash.isHash(of: "correct horse"))
        for other in ["", "correct hors", "Correct horse", "correct horse "] { #expect(!hash.isHash(of: other)) }
        #expect(PasswordHash(of: "correct horse") != hash)
        #expect(PasswordHash(of: "").isHash(of: ""))
    }

    @Test(arguments: ["", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA", "plain", "$2b$12$abc"])
    func `what is no hash fits nothing`(_ text: String) {
        #expect(!PasswordHash(text: text).isHash(of: "secret"))
    }
}
