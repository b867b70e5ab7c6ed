import Conversation
import Runtime

/// A request to the database: a batch, and where its answer is delivered.
final class Ticket: Sendable {
    /// What is delivered.
    typealias Answer = Result<[PostgresResult], RecordsError>

    let batch: Batch
    let deadline: Deadline
    let submitted: Instant
    let answer = OneShot<Answer>()

    init(_ batch: Batch, by deadline: Deadline, at now: Instant = .now) {
        self.batch = batch
        self.deadline = deadline
        submitted = now
    }

    /// The failure of a deadline that has passed.
    var timeout: RecordsError { .timedOut(after: deadline.instant.since(submitted)) }
}

/// A batch that was sent and what has come back of it.
struct Flight {
    let ticket: Ticket
    /// How often it was sent before.
    let attempt: Int
    /// The answers to its statements so far, without the scope's.
    private(set) var results: [PostgresResult] = []
    /// The first error; nothing after it was done.
    private(set) var error: ServerError?
    private var sawScope = false

    init(_ ticket: Ticket, attempt: Int) {
        self.ticket = ticket
        self.attempt = attempt
    }

    /// Takes the answer to the next statement.
    mutating func take(_ result: PostgresResult) {
        guard sawScope else {
            sawScope = true
            return
        }
        results.append(result)
    }

    /// Takes an error; the first one counts.
    mutating func take(_ failure: ServerError) {
        if error == nil { error = failure }
    }

    /// Puts the cause of its error in the error's place.
    mutating func blame(_ cause: ServerError) {
        error = cause
    }

    /// What the caller gets.
    var answer: Ticket.Answer {
        if let error { return .failure(error.asRecordsError) }
        guard results.count == ticket.batch.calls.count else {
            return .failure(.unavailable(reason: "the server answered \(results.count) statements of a batch"))
        }
        return .success(results)
    }
}
