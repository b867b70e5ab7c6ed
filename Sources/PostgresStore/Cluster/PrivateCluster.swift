package import Runtime
import Synchronization

/// A PostgreSQL server of our own: a unix socket that only its user can reach, no TCP, its own data folder.
///
/// It runs as `postgres` when this process is root. It is in a process group of its own, so that Ctrl-C reaches it only
/// through ``drain(by:)``; should this process die without that, the kernel orders it to shut down. One that was left
/// over all the same is stopped before a new one is started. A server that ends by itself is started again.
package final class PrivateCluster: Service {
    /// How the server is kept.
    package struct Settings: Sendable, Equatable {
        /// Whether what is committed survives a power cut; off only for tests.
        package var isDurable: Bool
        /// How many connections it takes.
        package var connections: Int
        /// How long it may take until it accepts connections, recovery after a crash included.
        package var startTime: Duration

        /// Makes settings; the defaults are the service's.
        package init(isDurable: Bool = true, connections: Int = 64, startTime: Duration = .seconds(60)) {
            self.isDurable = isDurable
            self.connections = connections
            self.startTime = startTime
        }
    }

    package let name = "private_postgres"
    /// How long a server whose start is given up may take to end in order.
    private static let givingUpTime = Duration.seconds(5)
    /// Where it lives.
    package let folder: ClusterFolder
    private let settings: Settings
    private let log: Log
    private let keeper = Mutex<ClusterKeeper?>(nil)

    /// Makes a cluster that does not run yet.
    package init(in folder: ClusterFolder, settings: Settings = Settings(), log: Log) {
        self.folder = folder
        self.settings = settings
        self.log = log
    }

    /// Makes the data folder if it is new, starts the server, and returns once it accepts connections.
    ///
    /// About two seconds for a new folder, a quarter of a second afterwards.
    ///
    /// - Throws: ``ClusterError``; nothing of the server is left running then.
    package func start() async throws {
        let keeper = ClusterKeeper(try ClusterSetup(folder, settings), log)
        do throws(ClusterError) {
            try await keeper.start().get()
        } catch {
            // Not cut short by the cancellation that may have brought us here.
            await Task { await keeper.stop(by: Deadline(after: Self.givingUpTime)) }.value
            throw error
        }
        self.keeper.withLock { $0 = keeper }
        log.info("private_postgres_started", "folder" ~ folder.path)
    }

    /// Shuts the server down: at once but in order, or, at the deadline, without order; it recovers at its next start.
    package func drain(by deadline: Deadline) async {
        let keeper = self.keeper.withLock { keeper in
            defer { keeper = nil }
            return keeper
        }
        await keeper?.stop(by: deadline)
    }

    /// Where to connect.
    package func address(database: String = "postgres") -> PostgresAddress { folder.address(database: database) }
}
