import Cryptography
import Foundation
import Testing

/// One-time passwords against the RFC's vectors.
@Suite struct OneTimePasswordTests {
    private static let secret = Array("12345678901234567890".utf8)

    /// RFC 6238, appendix B, the rows of SHA-1.
    @Test(
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Double, String)]
    )
    func `codes are those of the vectors`(seconds: Double, code: String) {
        let step = OneTimePassword.step(at: Date(timeIntervalSince1970: seconds))
        #expect(OneTimePassword(secret: Self.secret, digits: 8).code(at: step) == code)
        #expect(OneTimePassword(secret: Self.secret).code(at: step) == String(code.suffix(6)))
    }

    /// RFC 4226, appendix D.
    @Test func `counters give the codes of the older standard`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        let password = OneTimePassword(secret: Self.secret)
        #expect((0..<10).map { password.code(at: $0) } == codes)
    }

    @Test func `a code is good in its step and its neighbours, and not after its step was used`() {
        let password = OneTimePassword(secret: Self.secret)
        let date = Date(timeIntervalSince1970: 1_772_000_010)
        let step = OneTimePassword.step(at: date)
        for offset in Int64(-1)...1 {
            let code = password.code(at: step + offset)
            #expect(password.step(of: code, at: date, after: 0) == step + offset)
            #expect(password.step(of: code, at: date, after: step + offset) == nil)
            #expect(password.step(of: code, at: date, after: step + offset - 1) == step + offset)
        }
        for offset in [Int64(-3), -2, 2, 3, 100] {
            #expect(password.step(of: password.code(at: step + offset), at: date, after: 0) == nil)
        }
    }

    @Test(arguments: ["", "1", "12345", "1234567", "abcdef", " 94287", "٠٧٠٨١٨", "94287082"])
    func `what is no code of six digits fits nothing`(code: String) {
        let date = Date(timeIntervalSince1970: 1_772_000_010)
        #expect(OneTimePassword(secret: Self.secret).step(of: code, at: date, after: 0) == nil)
    }

    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"), ("12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
    ])
    func `secrets are written in base 32`(bytes: String, text: String) {
        #expect(Base32.text(of: bytes.utf8) == text)
    }
}
