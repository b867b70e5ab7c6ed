import Cryptography
import Testing

@Suite struct AuthenticatedEncryptionTests {
    private let cipher = AuthenticatedEncryption(key: Array(0..<32))
    private let context = Array("row 1".utf8)

    /// Test case 16 of the GCM specification (McGrew and Viega), with its tag, opened as nonce, text and tag.
    @Test func `what another implementation has sealed is opened`() throws {
        let key = try #require(
            Hexadecimal.bytes(of: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
        )
        let nonce = try #require(Hexadecimal.bytes(of: "cafebabefacedbaddecaf888"))
        let context = try #require(Hexadecimal.bytes(of: "feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        let plain =
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        let sealed =
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
        let tag = "76fc6ece0f4e1768cddf8853bb2d551b"
        let bytes = nonce + (try #require(Hexadecimal.bytes(of: sealed + tag)))
        let opened = try #require(AuthenticatedEncryption(key: key).open(bytes, in: context))
        #expect(Hexadecimal.text(of: opened) == plain)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1_000, 100_000])
    func `what is sealed is opened again, and no two seals are alike`(count: Int) {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = cipher.seal(plain, in: context)
        #expect(sealed.count == count + 28)
        #expect(cipher.open(sealed, in: context) == plain)
        #expect(cipher.seal(plain, in: context) != sealed)
    }

    @Test func `nothing that was changed is opened`() {
        let sealed = cipher.seal(Array("Sarah +14155550123".utf8), in: context)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(cipher.open(changed, in: context) == nil, "byte \(place)")
        }
        #expect(cipher.open(Array(sealed.dropLast()), in: context) == nil)
        #expect(cipher.open(sealed + [0], in: context) == nil)
        #expect(cipher.open([], in: context) == nil)
        #expect(cipher.open(Array(sealed.prefix(27)), in: context) == nil)
    }

    @Test func `nothing is opened in another context or under another key`() {
        let sealed = cipher.seal([1, 2, 3], in: context)
        #expect(cipher.open(sealed, in: Array("row 2".utf8)) == nil)
        #expect(cipher.open(sealed, in: []) == nil)
        #expect(AuthenticatedEncryption(key: Array(1..<33)).open(sealed, in: context) == nil)
    }
}
