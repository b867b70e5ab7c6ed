import Cryptography
import Foundation
import Testing

/// Public keys of tokens, by the examples of RFC 7515, appendices A.2 and A.3.
@Suite struct VerificationKeyTests {
    private static let modulus = """
        ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs\
        D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdV\
        MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
        """
    private static let rsaMessage = """
        eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
        """
    private static let rsaSignature = """
        cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ\
        cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-e\
        OkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
        """
    private static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
    private static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    private static let curveMessage = """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
        """
    private static let curveSignature =
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    private static func bytes(_ text: String) -> [UInt8] { Base64URL.bytes(of: text) ?? [] }

    private static var rsa: VerificationKey? { VerificationKey(modulus: bytes(modulus), exponent: [1, 0, 1]) }
    private static var curve: VerificationKey? { VerificationKey(x: bytes(x), y: bytes(y)) }

    @Test func `the standard's signatures are right, and changed ones are not`() throws {
        let cases = [
            (try #require(Self.rsa), Self.rsaMessage, Self.rsaSignature),
            (try #require(Self.curve), Self.curveMessage, Self.curveSignature),
        ]
        for (key, message, signature) in cases {
            let (message, signature) = (Array(message.utf8), Self.bytes(signature))
            #expect(key.isSignature(signature, of: message))
            #expect(!key.isSignature(signature, of: message + [0]))
            #expect(!key.isSignature(signature, of: []))
            #expect(!key.isSignature([], of: message))
            #expect(!key.isSignature(signature + [0], of: message))
            #expect(!key.isSignature(signature.dropLast(), of: message))
            for place in stride(from: 0, to: signature.count, by: 7) {
                var changed = signature
                changed[place] ^= 1
                #expect(!key.isSignature(changed, of: message))
            }
        }
    }

    @Test func `a signature of zeros is none (CVE-2022-21449)`() throws {
        let key = try #require(Self.curve)
        #expect(!key.isSignature([UInt8](repeating: 0, count: 64), of: Array("a".utf8)))
    }

    @Test func `a key that is weak, overlong or not on the curve is none`() {
        #expect(VerificationKey(modulus: [UInt8](repeating: 0xFF, count: 128), exponent: [1, 0, 1]) == nil)
        #expect(VerificationKey(modulus: [UInt8](repeating: 0xFF, count: 2048), exponent: [1, 0, 1]) == nil)
        #expect(VerificationKey(modulus: [], exponent: [1, 0, 1]) == nil)
        #expect(VerificationKey(modulus: Self.bytes(Self.modulus), exponent: []) == nil)
        #expect(VerificationKey(x: Self.bytes(Self.x), y: Self.bytes(Self.x)) == nil)
        #expect(VerificationKey(x: [], y: []) == nil)
        #expect(VerificationKey(x: Self.bytes(Self.x) + [0], y: Self.bytes(Self.y)) == nil)
    }

    @Test(arguments: ["A", "AB", "AAB", "AA=", "A A", "AA+", "AA/", "AAAAA", "é"])
    func `base64url with bits left over or of another alphabet is refused`(text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }
}
