import Foundation
import Runtime

/// Runs PostgreSQL's programs as child processes and appends their output to a file.
extension ChildProcess {
    private static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"]

    /// Starts a program of a cluster.
    static func start(_ command: [String], output: String) throws(ClusterError) -> ChildProcess {
        do throws(ChildProcessError) {
            return try start(command, environment: environment, output: .file(output))
        } catch {
            switch error {
            case .notStarted(let program, let number):
                throw .program(name: program, status: number, output: String(cString: strerror(number)))
            }
        }
    }

    /// Runs a program of a cluster to its end; blocks the thread.
    static func run(_ command: [String], output: String) throws(ClusterError) {
        let status = try start(command, output: output).collect()
        guard status != 0 else { return }
        let said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let tail = said.split(separator: "\n").suffix(3).joined(separator: " | ")
        throw .program(name: command.first { $0.hasSuffix("initdb") } ?? command[0], status: status, output: tail)
    }
}
