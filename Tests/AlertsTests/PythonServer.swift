import Foundation
import Runtime
import TestSupport

/// A server for tests in a process of its own: a Python script beside this file that writes a JSON object a line.
///
/// Its first line names the port. It gets its certificate and key as arguments, and ends when its input is closed.
final class PythonServer: Sendable {
    private struct Started: Decodable {
        let port: Int?
    }

    let certificates: RawServerCertificates
    let port: Int
    private let process = Process()
    private let input = Pipe()

    /// Starts a script and waits until it listens.
    ///
    /// - Parameter take: Takes each line; called on a thread of its own.
    init(
        _ script: String,
        _ arguments: [String] = [],
        packages: URL? = nil,
        take: @escaping @Sendable (Data) -> Void
    ) async throws {
        certificates = try RawServerCertificates.shared.get()
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            [folder.appending(path: script).path, certificates.certificate, certificates.key] + arguments
        var environment = ["PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore"]
        environment["PYTHONPATH"] = packages?.path
        process.environment = environment
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let started = OneShot<Int>()
        try process.run()
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            var unread = Data()
            while case let data = reading.availableData, !data.isEmpty {
                for line in PythonServer.lines(&unread, adding: data) {
                    take(line)
                    if let port = (try? JSONDecoder().decode(Started.self, from: line))?.port { started.settle(port) }
                }
            }
        }
        let alarm = Alarm(at: Deadline(after: .seconds(20))) { started.settle(0) }
        port = await started.value(ifCancelled: 0)
        alarm.cancel()
    }

    /// Takes the whole lines out of what was read.
    private static func lines(_ unread: inout Data, adding data: Data) -> [Data] {
        let parts = (unread + data).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        unread = parts.last.map { Data($0) } ?? Data()
        return parts.dropLast().map { Data($0) }
    }

    /// Writes a value to the script's input, as JSON on a line.
    func write(_ value: some Encodable) throws {
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(value) + [UInt8(ascii: "\n")])
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
