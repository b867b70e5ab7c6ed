import Cryptography
import Testing

/// Message authentication against the vectors of RFC 4231.
struct MessageAuthenticationTests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `a message has its published code`(key: [UInt8], message: [UInt8], hex: String) {
        let authentication = MessageAuthentication(key: key)
        #expect(Hexadecimal.text(of: authentication.code(for: message)) == hex)
        #expect(authentication.isCode(Hexadecimal.bytes(of: hex) ?? [], for: message))
    }

    @Test func `a code of another key, another message or another length is refused`() {
        let authentication = MessageAuthentication(key: Array("key".utf8))
        let code = authentication.code(for: Array("message".utf8))
        #expect(!MessageAuthentication(key: Array("kez".utf8)).isCode(code, for: Array("message".utf8)))
        #expect(!authentication.isCode(code, for: Array("messagf".utf8)))
        #expect(!authentication.isCode(code.dropLast(), for: Array("message".utf8)))
        #expect(!authentication.isCode([], for: Array("message".utf8)))
    }
}
