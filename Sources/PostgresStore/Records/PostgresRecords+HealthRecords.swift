package import Domain
package import Foundation
package import Runtime

/// Stores the figures of replicas.
extension PostgresRecords: HealthRecords {
    package func store(_ entries: [HealthEntry], at date: Date, by deadline: Deadline) async throws(RecordsError) {
        let stores = entries.map { entry in
            HealthStatements.store(
                .integer(Int64(entry.step.rawValue)),
                .time(entry.start),
                .text(entry.replica),
                .uuid(entry.process),
                .json(entry.figures.json.bytes)
            )
        }
        let ages = HealthStep.allCases.map { step in
            HealthStatements.age(.integer(Int64(step.rawValue)), .time(date.addingTimeInterval(-step.keptSeconds)))
        }
        _ = try await run(.service, by: deadline, stores + ages)
    }

    package func figures(
        _ step: HealthStep,
        since start: Date,
        of replica: String?,
        by deadline: Deadline
    ) async throws(RecordsError) -> [HealthEntry] {
        let call = HealthStatements.list(.integer(Int64(step.rawValue)), .time(start), .text(orNull: replica))
        return try await run(.service, isReadOnly: true, by: deadline, call)[0].map { row throws(RecordsError) in
            HealthEntry(
                replica: try row.read(),
                process: try row.read(),
                step: step,
                start: try row.read(),
                figures: try HealthStatements.readFigures(&row)
            )
        }
    }

    package func replicas(
        since start: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> [(name: String, lastAt: Date)] {
        let call = HealthStatements.replicas(.time(start))
        return try await run(.service, isReadOnly: true, by: deadline, call)[0].map { row throws(RecordsError) in
            (name: try row.read(), lastAt: try row.read())
        }
    }
}

/// The statements of figures, and the reader of their rows.
private enum HealthStatements {
    /// Most rows that one read returns: 20 replicas in the longest period.
    private static let maximumRows = 4_000
    /// Most rows that one write deletes.
    private static let maximumAged = 500

    static let store = Statement(
        "health_store",
        [.int8, .timestamp, .text, .uuid, .jsonb],
        """
        INSERT INTO health_figures (step, at, replica, process, figures) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (step, at, replica, process) DO UPDATE SET figures = excluded.figures
        """
    )

    static let age = Statement(
        "health_age",
        [.int8, .timestamp],
        """
        DELETE FROM health_figures WHERE (step, at, replica, process) IN (
            SELECT step, at, replica, process FROM health_figures WHERE step = $1 AND at < $2
            ORDER BY at LIMIT \(maximumAged) FOR UPDATE SKIP LOCKED
        )
        """
    )

    static let list = Statement(
        "health_list",
        [.int8, .timestamp, .text],
        """
        SELECT replica, process, at, figures FROM (
            SELECT * FROM health_figures WHERE step = $1 AND at >= $2 AND ($3 IS NULL OR replica = $3)
            ORDER BY at DESC, replica, process LIMIT \(maximumRows)
        ) h
        ORDER BY at, replica, process
        """
    )

    static let replicas = Statement(
        "health_replicas",
        [.timestamp],
        """
        SELECT replica, max(at) FROM health_figures WHERE step = \(HealthStep.hour.rawValue) AND at >= $1
        GROUP BY replica ORDER BY replica LIMIT 100
        """
    )

    static func readFigures(_ row: inout PostgresRow) throws(RecordsError) -> HealthFigures {
        let stored = try row.read(StoredBytes.self).bytes
        guard let json = try? JSONReader.read(stored) else { throw row.unreadable("holds no figures") }
        return HealthFigures(json)
    }
}
