package import Runtime
import Synchronization

/// A private PostgreSQL server with its own data folder and a unix socket that only its user can reach.
///
/// The server runs as `postgres` when this process is root. It has its own process group, so that Ctrl-C reaches it
/// only through ``drain(by:)``. The kernel shuts it down when this process dies. A leftover server is stopped before a
/// new one starts, and a server that ends by itself is restarted.
package final class PrivateCluster: Service {
    /// Durability, capacity and start-up time of the server.
    package struct Settings: Sendable, Equatable {
        /// True when commits survive a power failure; false only in tests.
        package var isDurable: Bool
        /// Largest number of connections.
        package var connections: Int
        /// Time limit for the server to accept connections, including crash recovery.
        package var startTime: Duration

        /// Creates settings; the defaults are the service's.
        package init(isDurable: Bool = true, connections: Int = 64, startTime: Duration = .seconds(60)) {
            self.isDurable = isDurable
            self.connections = connections
            self.startTime = startTime
        }
    }

    package let name = "private_postgres"
    /// Time limit for the orderly shutdown of a server that failed to start.
    private static let givingUpTime = Duration.seconds(5)
    /// Folder of the cluster.
    package let folder: ClusterFolder
    private let settings: Settings
    private let log: Log
    private let keeper = Mutex<ClusterKeeper?>(nil)

    package init(in folder: ClusterFolder, settings: Settings = Settings(), log: Log) {
        self.folder = folder
        self.settings = settings
        self.log = log
    }

    /// Creates the data folder if it is new, starts the server, and returns once it accepts connections.
    ///
    /// Takes about two seconds with a new folder and a quarter of a second afterwards.
    ///
    /// - Throws: ``ClusterError``; no part of the server is left running then.
    package func start() async throws {
        let keeper = ClusterKeeper(try ClusterSetup(folder, settings), log)
        do throws(ClusterError) {
            try await keeper.start().get()
        } catch {
            // A separate task, so that the cancellation which led here does not cut the shutdown short.
            await Task { await keeper.stop(by: Deadline(after: Self.givingUpTime)) }.value
            throw error
        }
        self.keeper.withLock { $0 = keeper }
        log.info("private_postgres_started", "folder" ~ folder.path)
    }

    /// Shuts the server down in order; at the deadline, stops it at once, and its next start recovers.
    package func drain(by deadline: Deadline) async {
        let keeper = self.keeper.withLock { keeper in
            defer { keeper = nil }
            return keeper
        }
        await keeper?.stop(by: deadline)
    }

    /// Returns the address for connections.
    package func address(database: String = "postgres") -> PostgresAddress { folder.address(database: database) }
}
