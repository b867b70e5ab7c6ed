import Cryptography
import Foundation
import Runtime
import Synchronization
import TestSupport

@testable import API

/// A provider's keys, made by the `openssl` command, with the tokens that they sign.
struct ProviderKeyPair: Sendable {
    /// A pair for each algorithm that every test may use.
    static let shared = Result {
        [
            VerificationKey.Algorithm.rs256: try ProviderKeyPair(.rs256),
            .es256: try ProviderKeyPair(.es256),
        ]
    }

    let algorithm: VerificationKey.Algorithm
    /// The public key as its provider publishes it, without a name.
    let published: [String: JSONValue]
    private let path: String

    /// The private key as a file holds it.
    var pem: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    init(_ algorithm: VerificationKey.Algorithm) throws {
        self.algorithm = algorithm
        path = FileManager.default.temporaryDirectory.appending(path: "provider-\(UUID().uuidString).pem").path
        switch algorithm {
        case .rs256:
            let bits = ["-pkeyopt", "rsa_keygen_bits:2048"]
            _ = try Self.openssl(["genpkey", "-quiet", "-algorithm", "RSA"] + bits + ["-out", path])
            let line = String(decoding: try Self.openssl(["rsa", "-in", path, "-noout", "-modulus"]), as: UTF8.self)
            let hex = line.split(separator: "=").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
            let modulus = Hexadecimal.bytes(of: hex.lowercased()) ?? []
            published = ["kty": "RSA", "n": .string(Base64URL.text(of: modulus)), "e": "AQAB"]
        case .es256:
            let curve = ["-pkeyopt", "ec_paramgen_curve:P-256"]
            _ = try Self.openssl(["genpkey", "-quiet", "-algorithm", "EC"] + curve + ["-out", path])
            let der = try Self.openssl(["pkey", "-in", path, "-pubout", "-outform", "DER"])
            let point = Array(der.suffix(64))
            published = [
                "kty": "EC", "crv": "P-256", "x": .string(Base64URL.text(of: point.prefix(32))),
                "y": .string(Base64URL.text(of: point.suffix(32))),
            ]
        }
    }

    /// A token of these parts, signed with this key.
    func token(_ header: [String: JSONValue], _ claims: [String: JSONValue]) throws -> String {
        let signed = [header, claims].map { Base64URL.text(of: Self.json($0).bytes) }.joined(separator: ".")
        return signed + "." + Base64URL.text(of: try signature(of: signed))
    }

    /// A signature as a token carries it, or as libraries encode it.
    func signature(of text: String, isEncoded: Bool = false) throws -> [UInt8] {
        let der = try Self.openssl(["dgst", "-sha256", "-sign", path], input: text)
        guard algorithm == .es256, !isEncoded else { return der }
        // SEQUENCE { INTEGER r, INTEGER s }, each number with 32 bytes in a token.
        var (numbers, place): ([UInt8], Int) = ([], 2)
        for _ in 0..<2 {
            let length = Int(der[place + 1])
            let number = der[(place + 2)..<(place + 2 + length)].drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: 32 - number.count) + number
            place += 2 + length
        }
        return numbers
    }

    static func json(_ members: [String: JSONValue]) -> JSONValue {
        .object(members.sorted { $0.key < $1.key }.map { JSONValue.Member(name: $0.key, value: $0.value) })
    }

    private static func openssl(_ arguments: [String], input: String = "") throws -> [UInt8] {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let bytes = [UInt8](stdout.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        precondition(process.terminationStatus == 0, "openssl \(arguments) failed")
        return bytes
    }
}

/// A provider's server as a test plays it: its key set, whether it answers, and how often it was asked.
final class PlayedProvider: Sendable {
    private struct State {
        var keys: [String: [String: JSONValue]] = [:]
        var isAway = false
        var holds = false
        var maximumAge: Duration?
        var fetches = 0
        var bytes: [UInt8]?
    }

    private let state = Mutex(State())

    var fetches: Int { state.withLock { $0.fetches } }
    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }
    /// True if answers are held back.
    var holds: Bool {
        get { state.withLock { $0.holds } }
        set { state.withLock { $0.holds = newValue } }
    }
    var maximumAge: Duration? {
        get { state.withLock { $0.maximumAge } }
        set { state.withLock { $0.maximumAge = newValue } }
    }

    /// Publishes a key under a name, with members of its own.
    func publish(_ pair: ProviderKeyPair, as name: String, _ members: [String: JSONValue] = [:]) {
        state.withLock { state in
            state.keys[name] = pair.published.merging(["kid": .string(name)]) { _, new in new }
                .merging(members) { _, new in new }
        }
    }

    /// Answers these bytes whatever is published.
    func answer(_ bytes: [UInt8]?) { state.withLock { $0.bytes = bytes } }

    func withdraw(_ name: String) { state.withLock { $0.keys[name] = nil } }

    var fetch: KeySetFetch {
        { [self] _, _ in
            state.withLock { $0.fetches += 1 }
            do { try await eventually { !holds } } catch { return nil }
            return state.withLock { state in
                guard !state.isAway else { return nil }
                let keys = JSONValue.array(state.keys.values.map(ProviderKeyPair.json))
                let bytes = state.bytes ?? ProviderKeyPair.json(["keys": keys]).bytes
                return FetchedKeySet(bytes: bytes, maximumAge: state.maximumAge)
            }
        }
    }
}
