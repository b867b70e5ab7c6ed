import Foundation
import Runtime
import Synchronization

/// Starts the built program and reads what it says until it ends, on a thread of its own.
final class Watcher: Sendable {
    private let lines = Mutex<[String]>([])
    private let ready = OneShot<String?>()
    private let end = OneShot<Int32>()

    /// The lines of standard output and standard error so far.
    var said: [String] { lines.withLock { $0 } }

    /// Starts `hearth` with arguments; the thread that starts it lives as long as it does.
    func start(_ arguments: [String], _ environment: [String: String]) throws -> ChildProcess {
        let started = DispatchSemaphore(value: 0)
        let result = Mutex<Result<ChildProcess, any Error>?>(nil)
        let thread = Thread { [self] in
            let pipe = Pipe()
            let launched = Result {
                try ChildProcess.start(
                    [HearthProcess.binary] + arguments,
                    environment: environment.map { "\($0)=\($1)" },
                    output: .descriptors(
                        output: pipe.fileHandleForWriting.fileDescriptor,
                        error: pipe.fileHandleForWriting.fileDescriptor
                    )
                )
            }
            try? pipe.fileHandleForWriting.close()
            result.withLock { $0 = launched }
            started.signal()
            guard case .success(let child) = launched else { return }
            read(pipe.fileHandleForReading)
            child.waitForEnd()
            ready.settle(nil)
            end.settle(child.collect())
        }
        thread.start()
        started.wait()
        guard let launched = result.withLock({ $0 }) else { preconditionFailure("the thread has answered") }
        return try launched.get()
    }

    /// Address at which the service listens; nil when it ends or takes too long.
    func address(within time: Duration) async -> String? {
        let alarm = Alarm(at: Deadline(after: time)) { [ready] in ready.settle(nil) }
        defer { alarm.cancel() }
        return await ready.value(ifCancelled: nil)
    }

    /// The status with which the process ended.
    func status() async -> Int32 { await end.value(ifCancelled: -1) }

    private func read(_ output: FileHandle) {
        var pending = Data()
        while true {
            let bytes = output.availableData
            guard !bytes.isEmpty else { return }
            pending.append(bytes)
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                take(String(decoding: pending[..<end], as: UTF8.self))
                pending = Data(pending[pending.index(after: end)...])
            }
        }
    }

    private func take(_ line: String) {
        lines.withLock { $0.append(line) }
        guard line.contains("\"event\":\"service_ready\"") else { return }
        ready.settle(JSON(Array(line.utf8))["address"].text)
    }
}
