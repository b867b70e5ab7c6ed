import Conversation
import PostgresStore
import Runtime

/// The system of record for as long as one command needs it.
enum RecordSession {
    /// Calls with the records of a database, over a pool of its own.
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
    /// PostgreSQL's SQLSTATE for a reference to a row that is not there.
    private static let unknownReference = "23503"

    /// What a failure of the records means at the terminal.
    init(_ error: RecordsError) {
        switch error {
        case .refused(Self.unknownReference, _):
            self.init("The database has no such tenant; hearth enrol makes one.", .usage)
        case .unavailable(let reason):
            self.init("The database cannot be reached: \(reason).")
        case .timedOut(let duration):
            self.init("The database did not answer within \(Int(duration.milliseconds)) ms.")
        case .refused(let code, let message):
            self.init("The database refused it: \(message) (\(code)).")
        case .overloaded, .unknownPatient, .keyTaken, .cancelled, .unreadable:
            self.init("The database did not do it: \(error).")
        }
    }
}
