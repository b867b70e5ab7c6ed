/// One step of a migration plan.
package struct MigrationStep: Sendable, Equatable {
    /// Direction of a step.
    package enum Direction: String, Sendable {
        case up, down
    }

    /// Migration of the step.
    package let migration: Migration
    /// Direction in which it is applied.
    package let direction: Direction

    package init(_ migration: Migration, _ direction: Direction) {
        self.migration = migration
        self.direction = direction
    }

    /// The statements of the step, after a comment that names it.
    package var sql: String {
        let body = direction == .up ? migration.up : migration.down
        return "-- migration \(migration.version), \(migration.name), \(direction.rawValue)\n\(body)\n"
    }
}

/// A migration recorded in the database.
package struct AppliedMigration: Sendable, Equatable {
    /// Version of the migration.
    package let version: Int
    /// Name of the migration.
    package let name: String
    /// Checksum of the applied text.
    package let checksum: String
}

/// Plans the steps from the applied version to the requested one.
enum MigrationPlan {
    /// Returns the steps in order.
    ///
    /// - Parameters:
    ///   - version: The target version; nil is the newest, 0 is none.
    /// - Throws: `changed` or `unknown` when the database does not match this program; `noSuchVersion`.
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
