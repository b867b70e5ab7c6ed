import Foundation

/// The PostgreSQL programs on this machine.
package struct PostgresInstallation: Sendable, Equatable {
    /// The folder of `postgres` and `initdb`.
    package let programs: String
    /// The major version, such as 15.
    package let majorVersion: Int

    /// Makes an installation that is known to be there.
    package init(programs: String, majorVersion: Int) {
        self.programs = programs
        self.majorVersion = majorVersion
    }

    /// Finds an installation where Debian puts them.
    ///
    /// - Parameter version: Only this major version; nil takes the newest.
    /// - Returns: Nil when there is none; `apt-get install postgresql` brings one.
    package static func find(version: Int? = nil, under folder: String = "/usr/lib/postgresql") -> PostgresInstallation?
    {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let versions = names.compactMap { Int($0) }.filter { version == nil || $0 == version }.sorted(by: >)
        return versions.lazy.map { PostgresInstallation(programs: "\(folder)/\($0)/bin", majorVersion: $0) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(of: "postgres")) }
    }

    /// The path of one of its programs.
    package func path(of program: String) -> String { "\(programs)/\(program)" }
}
