import Cryptography
import Testing

/// Comparison and making of secrets.
struct SecretTests {
    @Test(arguments: [([], []), ([1], [1]), ([1, 2, 3], [1, 2, 3])] as [([UInt8], [UInt8])])
    func `the same bytes are equal`(left: [UInt8], right: [UInt8]) {
        #expect(ConstantTime.areEqual(left, right))
    }

    @Test(arguments: [([], [0]), ([1], [2]), ([1, 2], [1]), ([0, 2, 3], [1, 2, 3]), ([1, 2, 3], [1, 2, 4])])
    func `other bytes are not`(left: [UInt8], right: [UInt8]) {
        #expect(!ConstantTime.areEqual(left, right))
    }

    @Test func `tokens have their length and alphabet and do not repeat`() {
        let tokens = (0..<1000).map { _ in RandomToken.text() }
        #expect(Set(tokens).count == 1000)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 })
        let letters = Set(tokens.joined())
        #expect(letters.count == 64)
        #expect(letters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test func `no bytes can be asked for`() {
        #expect(RandomToken.bytes(count: 0).isEmpty)
        #expect(RandomToken.text(length: 0).isEmpty)
        #expect(RandomToken.bytes(count: 32).count == 32)
    }
}
