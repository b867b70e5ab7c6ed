import Conversation
import PostgresStore
import Runtime

/// Database access for the duration of one command.
enum RecordSession {
    /// Runs the body with the records of a database, over its own connection pool.
    static func with<Value: Sendable>(
        _ address: PostgresAddress,
        _ body: (PostgresRecords) async throws(RecordsError) -> Value
    ) async throws(CommandFailure) -> Value {
        let loops = EventLoopGroup(count: 1)
        let log = Log(to: StandardErrorSink(), minimum: .warning)
        let pool = PostgresPool(address, on: loops, metrics: PostgresMetrics(in: Metrics()), log: log)
        await pool.start()
        let result: Result<Value, RecordsError>
        do throws(RecordsError) {
            result = .success(try await body(PostgresRecords(pool)))
        } catch {
            result = .failure(error)
        }
        await pool.drain(by: Deadline(after: .seconds(5)))
        loops.stop()
        switch result {
        case .success(let value): return value
        case .failure(let error): throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// Maps a database error to a sentence and an exit code.
    init(_ error: RecordsError) {
        switch error {
        case .refused(let code, _) where ["23503", "42501", "23505"].contains(code):
            self.init(DatabaseSentence.refusal(code), .usage)
        case .refused(let code, _): self.init(DatabaseSentence.refusal(code))
        case .unavailable(let reason): self.init(DatabaseSentence.unreachable(reason))
        case .timedOut(let duration):
            self.init("The database did not answer within \(Int(duration.milliseconds)) ms.")
        case .overloaded: self.init("The database has as much to do as it can hold. Try again.")
        case .unknownPatient(let patient): self.init("The tenant has no patient \(patient).", .usage)
        case .keyTaken: self.init("The same was asked before in other words.", .usage)
        case .cancelled: self.init("Stopped before the database answered.")
        case .unreadable(let column, _):
            self.init("The database holds a value of \(column) that this program cannot read; it may be an older one.")
        }
    }
}

extension CommandFailure {
    /// Maps a migration error to a sentence.
    init(_ error: MigrationError) {
        switch error {
        case .unreachable(let reason): self.init(DatabaseSentence.unreachable(reason))
        case .failed(let version, let name, let code, _):
            self.init("Migration \(version) (\(name)) was taken back. \(DatabaseSentence.refusal(code))")
        case .registry(let code, _):
            self.init("The registry of migrations cannot be used. \(DatabaseSentence.refusal(code))")
        case .changed, .unknown, .noSuchVersion, .locked, .stopped: self.init("\(error)")
        }
    }
}
