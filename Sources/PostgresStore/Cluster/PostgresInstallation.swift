import Foundation

/// An installation of PostgreSQL on this machine.
package struct PostgresInstallation: Sendable, Equatable {
    /// Folder of `postgres` and `initdb`.
    package let programs: String
    /// Major version, such as 15.
    package let majorVersion: Int

    package init(programs: String, majorVersion: Int) {
        self.programs = programs
        self.majorVersion = majorVersion
    }

    /// Finds an installation in Debian's location.
    ///
    /// - Parameter version: The required major version; nil takes the newest.
    /// - Returns: Nil when there is none; `apt-get install postgresql` installs one.
    package static func find(version: Int? = nil, under folder: String = "/usr/lib/postgresql") -> PostgresInstallation?
    {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let versions = names.compactMap { Int($0) }.filter { version == nil || $0 == version }.sorted(by: >)
        return versions.lazy.map { PostgresInstallation(programs: "\(folder)/\($0)/bin", majorVersion: $0) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path(of: "postgres")) }
    }

    /// Returns the path of one of the installation's programs.
    package func path(of program: String) -> String { "\(programs)/\(program)" }
}
