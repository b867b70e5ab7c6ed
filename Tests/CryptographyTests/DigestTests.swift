import Cryptography
import Testing

/// Digests against the vectors of FIPS 180-4 and RFC 6234.
struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `a text has its published digest`(text: String, hex: String) {
        #expect(Digest.sha256(text).hex == hex)
        #expect(Digest.sha256(Array(text.utf8)).description == hex)
    }

    @Test func `a million letters have their published digest`() {
        let digest = Digest.sha256([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        #expect(digest.hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(digest.bytes.count == Digest.byteCount)
    }

    @Test func `one bit more or less gives another digest`() {
        #expect(Digest.sha256("fall") != Digest.sha256("gall"))
        #expect(Digest.sha256("fall") != Digest.sha256("fall\0"))
    }

    @Test(arguments: [("", []), ("00ff10", [0, 255, 16]), ("DEADbeef", [222, 173, 190, 239])] as [(String, [UInt8])])
    func `hexadecimal is read in either case and written in lower case`(text: String, bytes: [UInt8]) {
        #expect(Hexadecimal.bytes(of: text) == bytes)
        #expect(Hexadecimal.text(of: bytes) == text.lowercased())
    }

    @Test(arguments: ["0", "0g", "zz", "0x00", "é0", " 00"])
    func `what is not hexadecimal is not read`(text: String) {
        #expect(Hexadecimal.bytes(of: text) == nil)
    }
}
