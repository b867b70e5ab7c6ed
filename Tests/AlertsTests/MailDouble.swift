import Foundation
import HTTPClient
import Runtime
import Synchronization
import TestSupport

/// A real mail server (aiosmtpd) in a process of its own, which asks for STARTTLS and a login.
final class MailDouble: Sendable {
    /// A mail that it has taken.
    struct Mail: Decodable, Sendable {
        let from: String
        let to: [String]
        let tls: Bool
        let login: Bool
        let content: String

        /// A header field's value.
        func header(_ name: String) -> String? {
            content.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }

        /// The body's text.
        var text: String {
            let body = content.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
            return Data(base64Encoded: String(body), options: .ignoreUnknownCharacters)
                .map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }

    private struct Started: Decodable {
        let port: Int
    }

    private struct State {
        var buffered: [UInt8] = []
        var mails: [Mail] = []
    }

    let certificates: RawServerCertificates
    let port: Int
    private let process: Process
    private let input: Pipe
    private let state: Received

    /// Lines that the server has written so far; they come on a thread of their own.
    private final class Received: Sendable {
        let state = Mutex(State())
        let port = OneShot<Int>()
        let first = OneShot<Mail?>()

        func take(_ bytes: [UInt8]) {
            state.withLock { state in
                state.buffered += bytes
                while let end = state.buffered.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Data(state.buffered[..<end])
                    state.buffered.removeFirst(end + 1)
                    if let mail = try? JSONDecoder().decode(Mail.self, from: line) {
                        state.mails.append(mail)
                        first.settle(mail)
                    }
                    if let started = try? JSONDecoder().decode(Started.self, from: line) { port.settle(started.port) }
                }
            }
        }
    }

    init(isPlain: Bool = false) async throws {
        certificates = try RawServerCertificates.shared.get()
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        let packages = root.deletingLastPathComponent().deletingLastPathComponent().appending(path: ".deps/mail").path
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            [root.appending(path: "mail-server.py").path, certificates.certificate, certificates.key]
            + (isPlain ? ["--plain"] : [])
        process.environment = ["PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore"]
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let received = Received()
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            received.take([UInt8](data))
        }
        state = received
        try process.run()
        let alarm = Alarm(at: Deadline(after: .seconds(20))) { received.port.settle(0) }
        port = await received.port.value(ifCancelled: 0)
        alarm.cancel()
    }

    /// The first mail, which the server may write only after its sender was told; nil when none comes.
    func firstMail() async -> Mail? {
        let alarm = Alarm(at: Deadline(after: .seconds(20))) { [state] in state.first.settle(nil) }
        defer { alarm.cancel() }
        return await state.first.value(ifCancelled: nil)
    }

    /// The mails so far.
    var mails: [Mail] { state.state.withLock { $0.mails } }

    /// A client of the server, which trusts its certificate unless told otherwise.
    func client(password: String = "mail-secret", isTrusting: Bool = true) -> MailClient {
        MailClient(
            MailServer(
                url: "smtp://localhost:\(port)",
                user: "hearth",
                password: password,
                extraCertificates: isTrusting ? certificates.authority : nil
            )
        )
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
