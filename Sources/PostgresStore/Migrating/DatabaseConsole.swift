import Runtime

/// Does scripts on a server as its administrator: makes and drops the databases of tests.
///
/// Each call is a connection of its own, on a thread of its own.
package struct DatabaseConsole: Sendable {
    /// Why a script was not done.
    package enum Failure: Error, Equatable {
        /// The server could not be reached in time.
        case unreachable(reason: String)
        /// The server refused a statement; the code is its SQLSTATE.
        case refused(code: String, message: String)
    }

    private static let threads = WorkerThreads(name: "pg-console", count: 8, capacity: 1024)
    private let address: PostgresAddress

    /// Makes a console for a database; nothing is connected yet.
    package init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Does a script as one transaction and returns the rows of its last statement as texts.
    @discardableResult
    package func run(_ script: String) async throws(Failure) -> [[String]] {
        let address = self.address
        let result: Result<[[String]], Failure>
        do throws(WorkerError) {
            result = try await Self.threads.run(by: Deadline(after: .seconds(120))) {
                Result { () throws(Failure) in try Self.run(script, at: address) }
            }
        } catch {
            throw .unreachable(reason: "\(error)")
        }
        return try result.get()
    }

    /// Makes a database unless there is one of that name; returns whether it was made.
    ///
    /// - Parameter copiesFiles: Whether the template's files are copied rather than its pages logged: quicker on a server
    ///   that does not wait for its disk.
    @discardableResult
    package func createDatabase(
        _ name: String,
        template: String = "template0",
        copiesFiles: Bool = false
    ) async throws(Failure) -> Bool {
        let names = "\(Self.quoted(name)) TEMPLATE \(Self.quoted(template))"
        return try await isNew { () throws(Failure) in
            try await run("CREATE DATABASE \(names)\(copiesFiles ? " STRATEGY file_copy" : "")")
        }
    }

    /// Renames a database unless there is one of the new name; returns whether it was renamed.
    package func renameDatabase(_ name: String, to newName: String) async throws(Failure) -> Bool {
        try await isNew { () throws(Failure) in
            try await run("ALTER DATABASE \(Self.quoted(name)) RENAME TO \(Self.quoted(newName))")
        }
    }

    /// Whether a statement found no database of the name that it gives (42P04 says that there is one).
    private func isNew(_ statement: () async throws(Failure) -> [[String]]) async throws(Failure) -> Bool {
        do throws(Failure) {
            _ = try await statement()
            return true
        } catch {
            if case .refused("42P04", _) = error { return false }
            throw error
        }
    }

    /// Drops a database, whoever is connected to it.
    package func dropDatabase(_ name: String) async throws(Failure) {
        try await run("DROP DATABASE IF EXISTS \(Self.quoted(name)) WITH (FORCE)")
    }

    private static func run(_ script: String, at address: PostgresAddress) throws(Failure) -> [[String]] {
        let session: AdminSession
        do throws(MigrationError) {
            session = try AdminSession(address)
        } catch {
            throw .unreachable(reason: error.description)
        }
        do throws(ServerError) {
            return try session.rows(script)
        } catch {
            throw .refused(code: error.code, message: error.message)
        }
    }

    private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
