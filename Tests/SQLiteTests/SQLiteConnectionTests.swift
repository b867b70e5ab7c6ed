import Foundation
import Runtime
import SQLite
import TestSupport
import Testing

/// The connection's limits, transactions and errors.
@Suite(.timeLimit(.minutes(1)))
struct SQLiteConnectionTests {
    private let folder: ScratchFolder
    private let connection: SQLiteConnection

    init() throws {
        folder = try ScratchFolder()
        connection = try SQLiteConnection(folder.path("test.sqlite"))
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"

    @Test func `an endless statement ends at its deadline, and the connection goes on`() throws {
        let began = Instant.now
        connection.limit(by: Deadline(after: .milliseconds(20)))
        #expect(throws: SQLiteError.interrupted) { try connection.statement(Self.endless).step() }
        #expect(Instant.now.since(began) < .seconds(2))
        connection.limit(by: nil)
        #expect(try connection.statement("SELECT 1").step())
    }

    @Test func `an endless statement ends when its caller is gone`() throws {
        connection.limit(by: Deadline(after: .seconds(60)), isAbandoned: { true })
        #expect(throws: SQLiteError.interrupted) { try connection.statement(Self.endless).step() }
    }

    @Test func `a transaction that throws leaves nothing behind`() throws {
        try connection.execute("CREATE TABLE t (a INTEGER)")
        #expect(throws: SQLiteError.full) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                throw .full
            }
        }
        let count = try connection.statement("SELECT count(*) FROM t")
        #expect(try count.step() && count.integer(0) == 0)
    }

    @Test func `a transaction that runs out of time leaves nothing behind and the next one works`() throws {
        try connection.execute("CREATE TABLE t (a INTEGER)")
        connection.limit(by: Deadline(after: .milliseconds(10)))
        #expect(throws: SQLiteError.interrupted) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                _ = try connection.statement(Self.endless).step()
            }
        }
        try connection.transaction { () throws(SQLiteError) in try connection.execute("INSERT INTO t VALUES (2)") }
        let sum = try connection.statement("SELECT sum(a) FROM t")
        #expect(try sum.step() && sum.integer(0) == 2)
    }

    @Test func `values come back as they were bound`() throws {
        let select = try connection.statement("SELECT ?1, ?2, ?3, ?4, ?5")
        let uuid = UUID()
        select.bind(Int64.min, at: 1)
        select.bind(-0.1 as Double, at: 2)
        select.bind("naïve \u{0} 👵🏽", at: 3)
        select.bind(bytesOf: [1.5, -.infinity] as [Float], at: 4)
        select.bind(uuid, at: 5)
        #expect(try select.step())
        #expect(select.integer(0) == .min && select.number(1) == -0.1)
        #expect(select.text(2) == "naïve \u{0} 👵🏽")
        #expect(select.floats(3) == [1.5, -.infinity] && select.uuid(4) == uuid)
        #expect(select.uuid(3) == nil)
    }

    @Test func `a statement is bound anew each time`() throws {
        let first = try connection.statement("SELECT ?1")
        first.bind(7 as Int64, at: 1)
        #expect(try first.step() && first.integer(0) == 7)
        let second = try connection.statement("SELECT ?1")
        #expect(try second.step() && second.text(0).isEmpty)
    }

    @Test func `bad SQL is refused with SQLite's message`() {
        #expect(throws: SQLiteError.failed(code: 1, message: "near \"SELEKT\": syntax error")) {
            try connection.execute("SELEKT 1")
        }
    }

    @Test func `a folder cannot be opened as a file`() {
        #expect(throws: SQLiteError.self) { try SQLiteConnection("/tmp") }
    }
}
