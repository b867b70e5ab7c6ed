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

    /// Hashes that the library's own function made, of the cost here and of another.
    private static let foreign = [
        "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2Q+Pw$OxlDrf29sRN2ChXc5QfqXBhlu27cLqWpiAyWs5hHKa4",
        "$argon2id$v=19$m=64,t=3,p=1$c2FsdHNhbHQ$QrEbUppk9FSlC8t52Y/i8pbCC16OLleB",
    ]

    @Test(arguments: foreign) func `a hash of the library's own making is read, of any cost`(text: String) {
        #expect(PasswordHash(text: text).isHash(of: "correct horse"))
        #expect(!PasswordHash(text: text).isHash(of: "correct hors"))
        for bent in [text + "A", String(text.dropLast()), text.replacing("v=19", with: "v=16")] {
            #expect(!PasswordHash(text: bent).isHash(of: "correct horse"), "\(bent)")
        }
    }

    @Test func `hashes that are made side by side, in memory that others used, are right`() async {
        let hash = PasswordHash(of: "correct horse")
        let found = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let isRight = number % 2 == 0
                    return hash.isHash(of: isRight ? "correct horse" : "wrong \(number)") == isRight
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count == 24 && found.allSatisfy { $0 })
    }

    @Test(arguments: ["", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA", "plain", "$2b$12$abc"])
    func `what is no hash fits nothing`(_ text: String) {
        #expect(!PasswordHash(text: text).isHash(of: "secret"))
    }
}
