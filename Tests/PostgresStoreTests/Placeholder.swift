import PostgresStore
import Testing
import TestSupport

@Test func `smoke`() async throws {
    try await withScratchDatabase { database in
        let rows = try await database.run("select version, name from hearth.migrations order by 1")
        #expect(rows.count == 5)
        print(rows, database.address)
    }
}
