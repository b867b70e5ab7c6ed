import Foundation
import Runtime

/// Debian's chromedriver, running until it is stopped.
struct BrowserDriver: Sendable {
    private static let program = "/usr/bin/chromedriver"

    let port: Int
    private let process: ChildProcess

    /// Starts a driver on a free port, which it names itself.
    static func start() throws -> BrowserDriver {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BrowserFailure.driver("no pipe") }
        let environment = ["PATH=/usr/bin:/bin", "HOME=\(FileManager.default.temporaryDirectory.path)"]
        let process = try ChildProcess.start(
            [program, "--port=0", "--log-level=WARNING"],
            environment: environment,
            output: .descriptors(output: ends[1], error: ends[1])
        )
        close(ends[1])
        var heard = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &bytes, bytes.count)
            guard count > 0 else { throw BrowserFailure.driver(heard) }
            heard += String(decoding: bytes[..<count], as: UTF8.self)
            guard let match = heard.firstMatch(of: /started successfully on port (\d+)/), let port = Int(match.1) else {
                continue
            }
            return BrowserDriver(port: port, process: process)
        }
    }

    func stop() {
        process.send(SIGTERM)
        _ = process.collect()
    }
}
