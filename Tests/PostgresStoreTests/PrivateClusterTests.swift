import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

/// A server of our own.
@Suite(.timeLimit(.minutes(1)))
struct PrivateClusterTests {
    @Test func `what was written is there after the server has been stopped and started`() async throws {
        try await withOwnCluster { cluster in
            try await DatabaseAdministration(cluster.address()).run("CREATE TABLE kept AS SELECT 7 AS number")
            await cluster.drain(by: .soon)
            try await cluster.start()
            #expect(try await DatabaseAdministration(cluster.address()).run("SELECT number FROM kept") == [["7"]])
        }
    }

    @Test func `nobody else can reach it`() async throws {
        try await withOwnCluster { cluster in
            let folder = cluster.folder.path
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            let settings = try await DatabaseAdministration(cluster.address()).run(
                "SELECT current_setting('listen_addresses'), current_setting('unix_socket_permissions')"
            )
            #expect(settings == [["", "0700"]])
        }
    }

    @Test func `a second server in the same folder is refused`() async throws {
        try await withOwnCluster { cluster in
            let second = PrivateCluster(in: cluster.folder, log: Log(to: MemoryLogSink()))
            await #expect(throws: ClusterError.inUse(folder: cluster.folder.path)) { try await second.start() }
            let rows = try await DatabaseAdministration(cluster.address()).run("SELECT 1")
            #expect(rows == [["1"]])
        }
    }

    @Test(arguments: [0, 1_000, 100_000])
    func `a start that is given up leaves nothing running`(yields: Int) async throws {
        try await withOwnCluster { cluster in
            await cluster.drain(by: .soon)
            let start = Task { try await cluster.start() }
            for _ in 0..<yields { await Task.yield() }
            start.cancel()
            if case .success = await start.result { await cluster.drain(by: .soon) }
            let other = PrivateCluster(in: cluster.folder, log: Log(to: MemoryLogSink()))
            try await other.start()
            await other.drain(by: .soon)
        }
    }

    @Test func `a number left over that is another program's by now does not keep it from starting`() async throws {
        try await withOwnCluster { cluster in
            await cluster.drain(by: .soon)
            let file = "\(cluster.folder.path)/data/postmaster.pid"
            try "\(getpid())\n/elsewhere\n".write(toFile: file, atomically: true, encoding: .utf8)
            try await cluster.start()
            #expect(try await DatabaseAdministration(cluster.address()).run("SELECT 1") == [["1"]])
        }
    }

    @Test func `a server that is killed is started again, with what was committed`() async throws {
        try await withOwnCluster(isDurable: true) { cluster in
            let console = DatabaseAdministration(cluster.address())
            try await console.run("CREATE TABLE kept AS SELECT 7 AS number")
            let file = try String(contentsOfFile: "\(cluster.folder.path)/data/postmaster.pid", encoding: .utf8)
            let pid = try #require(pid_t(file.prefix { $0 != "\n" }))
            kill(pid, SIGKILL)
            try await eventually {
                let now = try? String(contentsOfFile: "\(cluster.folder.path)/data/postmaster.pid", encoding: .utf8)
                let rows = try? await console.run("SELECT number FROM kept")
                return now?.hasPrefix("\(pid)\n") == false && rows == [["7"]]
            }
        }
    }

    @Test func `it leads a process group of its own and has none of our descriptors`() async throws {
        try await withOwnCluster { cluster in
            let file = try String(contentsOfFile: "\(cluster.folder.path)/data/postmaster.pid", encoding: .utf8)
            let pid = try #require(pid_t(file.prefix { $0 != "\n" }))
            #expect(getpgid(pid) != getpgid(0))
            let own = "\(cluster.folder.path)/lock"
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
            let targets = descriptors.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
            }
            #expect(!targets.isEmpty)
            #expect(!targets.contains(own))
            #expect(targets.filter { $0.hasPrefix("/tmp/slot") } == [])
        }
    }

    @Test func `a folder below a closed one is moved to where the server's user can be`() throws {
        let user = try ClusterUser.current()
        let open = ClusterFolder.reachable(wanted: "/tmp/hearth/./data/../data", by: user)
        #expect(open.path == "/tmp/hearth/data")
        guard user.mustSwitch else { return }
        let closed = FileManager.default.temporaryDirectory.appending(path: "hearth-closed-\(UUID())").path()
        try FileManager.default.createDirectory(
            atPath: closed,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: closed) }
        let moved = ClusterFolder.reachable(wanted: "\(closed)/hearth/data", by: user)
        #expect(moved.path.hasPrefix("/var/lib/hearth/"))
        #expect(moved == ClusterFolder.reachable(wanted: "\(closed)/hearth/data", by: user))
    }

    @Test func `a version that is not installed is named with what brings it`() {
        #expect(PostgresInstallation.find(version: 3) == nil)
        #expect(PostgresInstallation.find(under: "/nowhere") == nil)
        #expect(ClusterError.notInstalled(version: 3).description.contains("apt-get install postgresql"))
    }
}
