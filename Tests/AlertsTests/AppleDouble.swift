import Alerts
import Cryptography
import Foundation
import HTTPClient
import Runtime
import Synchronization
import TestSupport

/// Apple's push service for tests: a server in a process of its own that speaks HTTP/2 alone and checks every field.
final class AppleDouble: Sendable {
    /// A push that it has taken.
    struct Taken: Decodable, Sendable {
        struct Body: Decodable, Sendable {
            struct Notice: Decodable, Sendable {
                let alert: [String: String]?
            }
            let aps: Notice
            let action: String?
        }
        let headers: [String: String]
        let body: Body
        let token: String
    }

    private struct Line: Decodable {
        let port: Int?
        let taken: Taken?
        let violation: String?
        let fault: Int?
        let sync: Int?
    }

    private struct State {
        var buffered: [UInt8] = []
        var taken: [Taken] = []
        var violations: [String] = []
        var faults = 0
        var synced = 0
    }

    /// Lines that the server has written so far; they come on a thread of their own.
    private final class Received: Sendable {
        let state = Mutex(State())
        let port = OneShot<Int>()

        func take(_ bytes: [UInt8]) {
            state.withLock { state in
                state.buffered += bytes
                while let end = state.buffered.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = try? JSONDecoder().decode(Line.self, from: Data(state.buffered[..<end]))
                    state.buffered.removeFirst(end + 1)
                    if let taken = line?.taken { state.taken.append(taken) }
                    if let violation = line?.violation { state.violations.append(violation) }
                    if line?.fault != nil { state.faults += 1 }
                    if let sync = line?.sync { state.synced = max(state.synced, sync) }
                    if let port = line?.port { self.port.settle(port) }
                }
            }
        }
    }

    /// The account that it knows.
    let account: AppleAccount
    private let certificates: RawServerCertificates
    private let port: Int
    private let process: Process
    private let input: Pipe
    private let received: Received
    /// Number of times somebody asked whether all is read.
    private let asked = Atomic(0)

    init() async throws {
        certificates = try RawServerCertificates.shared.get()
        let (pem, publicKey) = try Self.makeKey()
        guard let account = AppleAccount(pem: pem, keyID: "KEY1234567", team: "TEAM123456", topic: "example.hearth")
        else { preconditionFailure("openssl makes keys on P-256") }
        self.account = account
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            root.appending(path: "apple-server.py").path, certificates.certificate, certificates.key, publicKey,
            "KEY1234567", "TEAM123456", "example.hearth",
        ]
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
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
        self.received = received
        try process.run()
        let alarm = Alarm(at: Deadline(after: .seconds(20))) { received.port.settle(0) }
        port = await received.port.value(ifCancelled: 0)
        alarm.cancel()
    }

    /// The pushes so far; whatever the server wrote before this call is read first.
    var taken: [Taken] {
        get async throws {
            let number = asked.add(1, ordering: .relaxed).newValue
            try input.fileHandleForWriting.write(contentsOf: Data("{\"sync\": \(number)}\n".utf8))
            try await eventually { received.state.withLock { $0.synced >= number } }
            return received.state.withLock { $0.taken }
        }
    }
    /// Faults of requests.
    var violations: [String] { received.state.withLock { $0.violations } }

    /// Has the next request fail.
    ///
    /// - Parameter isLate: True if the push is taken all the same.
    func next(_ status: Int, _ reason: String, headers: [String: String] = [:], isLate: Bool = false) async throws {
        struct Fault: Encodable {
            let status: Int
            let reason: String
            let headers: [String: String]
            let late: Bool
        }
        let known = received.state.withLock { $0.faults }
        let fault = Fault(status: status, reason: reason, headers: headers, late: isLate)
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(fault) + [UInt8(ascii: "\n")])
        try await eventually { received.state.withLock { $0.faults > known } }
    }

    /// A connection to it.
    ///
    /// - Parameter account: Caller; by default the account that the server knows.
    func pushing(
        _ client: HTTPClient,
        _ account: AppleAccount? = nil,
        time: any TimeSource = SystemTime()
    )
        -> ApplePushing
    {
        ApplePushing(account ?? self.account, Provider(client), base: "https://localhost:\(port)", time: time)
    }

    /// Settings of a client that trusts it.
    var trusting: HTTPClientSettings {
        var settings = HTTPClientSettings()
        settings.extraCertificates = certificates.authority
        return settings
    }

    /// Makes a key on P-256; returns its text and the file of its public half.
    static func makeKey() throws -> (pem: String, publicKey: String) {
        let path = FileManager.default.temporaryDirectory.appending(path: "p8-\(UUID().uuidString)").path
        for arguments in [
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path],
            ["pkey", "-in", path, "-pubout", "-out", path + ".public"],
        ] {
            let openssl = Process()
            openssl.executableURL = URL(filePath: "/usr/bin/openssl")
            openssl.arguments = arguments
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            openssl.waitUntilExit()
        }
        return (try String(contentsOfFile: path, encoding: .utf8), path + ".public")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
