import Foundation
import Runtime
import Synchronization

/// Runs the thread that starts, reads and restarts the local model's process.
///
/// One thread lives as long as its children, because the kernel treats the end of the thread as the end of the parent.
final class LocalModelSupervisor: Sendable {
    private struct State {
        /// The child until its end has been collected; only until then is its process number certainly valid.
        var child: ChildProcess?
        var address: String?
        var isStarted = false
        var isStopping = false
    }

    private static let maximumWait = Duration.seconds(30)
    private static let terminationGrace = Duration.seconds(2)

    private let settings: LocalModelSettings
    private let log: Log
    private let state = Mutex(State())
    private let stopped = DispatchSemaphore(value: 0)
    private let started = OneShot<Result<Void, LocalModelError>>()
    private let ended = OneShot<Void>()

    init(_ settings: LocalModelSettings, _ log: Log) {
        self.settings = settings
        self.log = log
    }

    var address: String? { state.withLock { $0.address } }

    /// Starts the thread; waits until the model is loaded or has failed.
    func start() async -> Result<Void, LocalModelError> {
        for path in [settings.interpreter, settings.script, settings.engine, settings.model]
        where !FileManager.default.fileExists(atPath: path) {
            return .failure(.missing(path: path))
        }
        state.withLock { $0.isStarted = true }
        let thread = Thread { [self] in
            serve()
            ended.settle(())
        }
        thread.name = "local-model"
        thread.start()
        let alarm = Alarm(at: Deadline(after: settings.loadTime)) { [self] in
            if started.settle(.failure(.notLoaded(after: settings.loadTime))) { signal(SIGKILL, stops: true) }
        }
        defer { alarm.cancel() }
        return await started.value(ifCancelled: .failure(.notLoaded(after: .zero)))
    }

    /// Stops the child with SIGTERM, and with SIGKILL after two seconds or at the deadline.
    func stop(by deadline: Deadline) async {
        let isFirst = state.withLock { $0.isStarted && !$0.isStopping }
        guard isFirst else { return }
        signal(SIGTERM, stops: true)
        stopped.signal()
        let alarm = Alarm(at: deadline.capped(to: Self.terminationGrace)) { [self] in signal(SIGKILL, stops: true) }
        await ended.value(ifCancelled: ())
        alarm.cancel()
    }

    private func signal(_ signal: Int32, stops: Bool) {
        state.withLock { state in
            state.isStopping = state.isStopping || stops
            state.child?.send(signal)
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }
}

// MARK: On the thread

extension LocalModelSupervisor {
    /// Restarts the child until stopped; repeated failures increase the wait.
    private func serve() {
        var failures = 0
        while !isStopping {
            let began = Instant.now
            let (status, said) = runChildOnce()
            guard !isStopping else { break }
            if started.settle(.failure(.ended(status: status, said: said))) { return }
            failures = Instant.now.since(began) > .seconds(60) ? 1 : failures + 1
            let wait = Self.wait(after: failures)
            log.warning(
                "local_model_ended",
                "status" ~ status,
                "failures" ~ failures,
                "wait_seconds" ~ wait.seconds
            )
            // The child's last output may quote a patient.
            log.debug("local_model_said", "text" ~ said)
            _ = stopped.wait(timeout: .now() + .milliseconds(Int(wait.milliseconds)))
        }
        started.settle(.failure(.ended(status: 0, said: "stopped")))
    }

    /// The wait before a restart: 0.2 s, doubled for each further end within a minute of a start, at most 30 s.
    private static func wait(after failures: Int) -> Duration {
        min(maximumWait, .milliseconds(200) * (1 << min(failures - 1, 10)))
    }

    /// Runs one child to its end and reads its output; returns its status and last line.
    private func runChildOnce() -> (status: Int32, said: String) {
        let output = Pipe()
        let child: ChildProcess
        do throws(ChildProcessError) {
            child = try launch(output.fileHandleForWriting.fileDescriptor)
        } catch {
            return (127, "\(error)")
        }
        try? output.fileHandleForWriting.close()
        let mustStop = state.withLock { state in
            state.child = child
            return state.isStopping
        }
        if mustStop { child.send(SIGTERM) }
        let said = read(output.fileHandleForReading)
        child.waitForEnd()
        let status = state.withLock { state in
            state.child = nil
            state.address = nil
            return child.collect()
        }
        return (status, said)
    }

    private func launch(_ output: Int32) throws(ChildProcessError) -> ChildProcess {
        try ChildProcess.start(
            settings.command + ["--parent", "\(getpid())"],
            environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"],
            output: .descriptors(output: output, error: output)
        )
    }

    private static let greeting = "listening "

    /// Reads lines until the child closes its output; the line with its address marks it ready.
    private func read(_ output: FileHandle) -> String {
        var said = ""
        var pending: [UInt8] = []
        while true {
            let bytes = output.availableData
            guard !bytes.isEmpty else { return said }
            pending += bytes
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                said = take(String(decoding: pending[..<end], as: UTF8.self)) ?? said
                pending.removeSubrange(...end)
            }
            if pending.count > Self.maximumLineBytes { pending = [] }
        }
    }

    private static let maximumLineBytes = 16 << 10

    private func take(_ line: String) -> String? {
        guard line.hasPrefix(Self.greeting) else {
            log.debug("local_model_said", "line" ~ line)
            return line.isEmpty ? nil : line
        }
        state.withLock { $0.address = String(line.dropFirst(Self.greeting.count)) }
        started.settle(.success(()))
        return nil
    }
}
