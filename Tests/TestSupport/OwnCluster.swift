import Foundation
package import PostgresStore
import Runtime

/// Runs a test with a server of its own, which it may stop, start and kill.
@discardableResult
package func withOwnCluster<Value>(
    isDurable: Bool = false,
    _ body: (PrivateCluster) async throws -> Value
) async throws -> Value {
    let folder = ClusterFolder("/tmp/hearth-cluster-test/\(UUID())")
    let settings = PrivateCluster.Settings(isDurable: isDurable, connections: 20)
    let cluster = PrivateCluster(in: folder, settings: settings, log: Log(to: MemoryLogSink()))
    let outcome: Result<Value, any Error>
    do {
        try await cluster.start()
        let address = cluster.address()
        if try await Migrator(address).applied().isEmpty { try await Migrator(address).migrate() }
        outcome = .success(try await body(cluster))
    } catch {
        outcome = .failure(error)
    }
    await cluster.drain(by: .soon)
    try? FileManager.default.removeItem(atPath: folder.path)
    return try outcome.get()
}
