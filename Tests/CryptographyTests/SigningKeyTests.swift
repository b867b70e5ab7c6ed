import Cryptography
import Foundation
import Testing

/// Signatures with an RSA key, against the `openssl` command.
@Suite struct SigningKeyTests {
    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test(arguments: [2048, 3072])
    func `a signature is the one that others verify`(bits: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (key, text, signature) = (folder.path + "/key", folder.path + "/text", folder.path + "/signature")
        try Self.openssl(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)", "-out", key])
        let signing = try #require(SigningKey(pem: try String(contentsOfFile: key, encoding: .utf8)))
        let message = Array("header.claims".utf8)
        let made = try #require(signing.signature(of: message))
        #expect(made.count == bits / 8)
        let verifying = try #require(signing.verificationKey)
        #expect(verifying.isSignature(made, of: message))
        #expect(!verifying.isSignature(made, of: message + [0]))
        #expect(!verifying.isSignature(made.dropLast() + [made[made.count - 1] ^ 1], of: message))
        try Data(message).write(to: URL(filePath: text))
        try Data(made).write(to: URL(filePath: signature))
        try Self.openssl(["dgst", "-sha256", "-prverify", key, "-signature", signature, text])
    }

    @Test(arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `what is no key is none`(pem: String) {
        #expect(SigningKey(pem: pem) == nil)
    }

    @Test(arguments: [[UInt8](), [0], [0xFF, 0xEF], Array(0...255)])
    func `base64url reads what it wrote, and nothing else`(bytes: [UInt8]) {
        let text = Base64URL.text(of: bytes)
        #expect(Base64URL.bytes(of: text) == bytes)
        #expect(!text.contains("=") && !text.contains("+") && !text.contains("/"))
        for other in [text + "=", text + "+", text + "A", " " + text] where !text.isEmpty || other != "A" {
            #expect(Base64URL.bytes(of: other) != bytes)
        }
    }

    /// RFC 2202, section 3.
    @Test func `the legacy code is that of the standard's examples`() {
        let code = LegacyAuthentication(key: [UInt8](repeating: 0x0B, count: 20)).code(for: Array("Hi There".utf8))
        #expect(Hexadecimal.text(of: code) == "b617318655057264e28bc0b6fb378c8ef146be00")
        let jefe = LegacyAuthentication(key: Array("Jefe".utf8)).code(for: Array("what do ya want for nothing?".utf8))
        #expect(Hexadecimal.text(of: jefe) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    }
}
