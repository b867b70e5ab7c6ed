import Foundation

/// A certificate authority of our own and a certificate that it has signed, made by the `openssl` command.
package struct RawServerCertificates: Sendable {
    /// The file of the authority's certificate, to be trusted or not.
    package let authority: String
    /// A pair for `localhost` and 127.0.0.1 that every test may use.
    package static let shared = Result { try RawServerCertificates(for: "DNS:localhost,IP:127.0.0.1") }

    /// The file of the server's certificate.
    package let certificate: String
    /// The file of the server's key.
    package let key: String

    /// Makes both in a folder of their own; takes some 30 ms and blocks its thread.
    ///
    /// - Parameter names: Holders of the certificate, as in `DNS:localhost`.
    package init(for names: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
        authority = folder.appending(path: "authority.pem").path
        certificate = folder.appending(path: "certificate.pem").path
        key = folder.appending(path: "key.pem").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let authorityKey = folder.appending(path: "authority.key").path
        try Self.request("/CN=Test authority", key: authorityKey, out: authority, [])
        let signing = ["-CA", authority, "-CAkey", authorityKey]
        let subject = ["-addext", "subjectAltName=\(names)"]
        try Self.request("/CN=localhost", key: key, out: certificate, signing + subject)
    }

    private static func request(_ subject: String, key: String, out: String, _ more: [String]) throws {
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments =
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2",
                "-subj", subject, "-keyout", key, "-out", out,
            ] + more
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        precondition(openssl.terminationStatus == 0, "openssl could not make a certificate")
    }
}
