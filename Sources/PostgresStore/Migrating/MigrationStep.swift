/// One step of a plan.
package struct MigrationStep: Sendable, Equatable {
    /// Which way.
    package enum Direction: String, Sendable {
        case up, down
    }

    /// The migration.
    package let migration: Migration
    /// Which way it is taken.
    package let direction: Direction

    /// Makes a step.
    package init(_ migration: Migration, _ direction: Direction) {
        self.migration = migration
        self.direction = direction
    }

    /// The statements that would be done, with a comment before them that names the step.
    package var sql: String {
        let body = direction == .up ? migration.up : migration.down
        return "-- migration \(migration.version), \(migration.name), \(direction.rawValue)\n\(body)\n"
    }
}

/// A migration that has been applied.
package struct AppliedMigration: Sendable, Equatable {
    /// Its version.
    package let version: Int
    /// Its name.
    package let name: String
    /// The checksum of the text that was applied.
    package let checksum: String
}

/// Finds the steps from what is applied to what is wanted.
enum MigrationPlan {
    /// The steps, in order.
    ///
    /// - Parameters:
    ///   - version: The version to arrive at; nil is the newest, 0 is none.
    /// - Throws: `changed` or `unknown` when what is applied is not what the program has; `noSuchVersion`.
    static func steps(
        from applied: [AppliedMigration],
        to version: Int?,
        of migrations: [Migration]
    ) throws(MigrationError) -> [MigrationStep] {
        for step in applied { try check(step, migrations) }
        let newest = migrations.last?.version ?? 0
        let target = version ?? newest
        guard (0...newest).contains(target) else { throw .noSuchVersion(target, newest: newest) }
        let versions = Set(applied.map(\.version))
        let down = migrations.reversed().filter { $0.version > target && versions.contains($0.version) }
        let up = migrations.filter { $0.version <= target && !versions.contains($0.version) }
        return down.map { MigrationStep($0, .down) } + up.map { MigrationStep($0, .up) }
    }

    private static func check(_ applied: AppliedMigration, _ migrations: [Migration]) throws(MigrationError) {
        guard let known = migrations.first(where: { $0.version == applied.version }) else {
            throw .unknown(version: applied.version, name: applied.name)
        }
        guard known.checksum == applied.checksum else {
            throw .changed(
                version: applied.version,
                name: applied.name,
                recorded: applied.checksum,
                expected: known.checksum
            )
        }
    }
}
