package import Runtime

/// Measurements of one scenario against one subject.
package struct BenchRow: Sendable {
    /// Percentiles that are reported, by name.
    package static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
    ]

    /// Name of the scenario.
    package let scenario: String
    /// Program that was measured: "hearth" or "peer".
    package let subject: String
    /// Latencies of the answered calls.
    package let latencies: Latencies
    /// Latencies of each stage, as the subject reports them in `Server-Timing`.
    package let stages: [String: Latencies]
    /// Number of failed calls by kind of failure.
    package let failures: [String: Int]
    /// Duration of the run.
    package let elapsed: Duration
    /// Resource use of the subject's process per call; nil if no process was measured.
    package let cost: Cost?

    /// Resource use per call of the process that answered.
    ///
    /// The database and the model run in other processes and are
    /// not counted.
    package struct Cost: Sendable, Equatable {
        /// CPU time in user mode.
        package let user: Duration
        /// CPU time in the kernel.
        package let system: Duration
        /// Bytes read and written.
        package let bytes: Double
        /// System calls that read or write.
        package let transfers: Double
        /// Memory in use at the end, in bytes.
        package let resident: Int
        /// Peak memory use so far, in bytes.
        package let mostResident: Int

        /// Computes the difference of two readings per call; nil if there were no calls.
        package init?(from before: ProcessUsage, to after: ProcessUsage, calls: Int) {
            guard calls > 0 else { return nil }
            user = (after.user - before.user) / calls
            system = (after.system - before.system) / calls
            bytes = Double(after.bytes - before.bytes) / Double(calls)
            transfers = Double(after.transfers - before.transfers) / Double(calls)
            resident = after.resident
            mostResident = after.mostResident
        }

        /// CPU time in user mode and in the kernel.
        package var processor: Duration { user + system }
    }

    package init(_ scenario: String, of subject: String, _ outcome: LoadRun.Outcome, cost: Cost?) {
        self.scenario = scenario
        self.subject = subject
        latencies = Latencies(outcome.answered)
        stages = outcome.stages.mapValues(Latencies.init)
        failures = outcome.failures
        elapsed = outcome.elapsed
        self.cost = cost
    }

    /// Answered calls per second.
    package var rate: Double { elapsed > .zero ? Double(latencies.count) / elapsed.seconds : 0 }

    /// The row as JSON, with durations in microseconds.
    package var json: JSONValue {
        .members([
            "scenario": .string(scenario),
            "subject": .string(subject),
            "answered": .integer(latencies.count),
            "failures": .object(failures.sorted { $0.key < $1.key }.map { .init(name: $0, value: .integer($1)) }),
            "seconds": .number("\(elapsed.seconds)"),
            "per_second": .number("\(rate)"),
            "microseconds": Self.json(latencies),
            "stages": .object(stages.sorted { $0.key < $1.key }.map { .init(name: $0, value: Self.json($1)) }),
            "cost": cost.map(Self.json),
        ])
    }

    private static func json(_ latencies: Latencies) -> JSONValue {
        let percentiles = shares.map { name, share in
            JSONValue.Member(name: name, value: latencies.percentile(share).map(json) ?? .null)
        }
        return .object(percentiles + [.init(name: "longest", value: latencies.longest.map(json) ?? .null)])
    }

    private static func json(_ cost: Cost) -> JSONValue {
        [
            "user_microseconds": json(cost.user), "system_microseconds": json(cost.system),
            "bytes": .number("\(cost.bytes)"), "transfers": .number("\(cost.transfers)"),
            "resident_bytes": .integer(cost.resident), "most_resident_bytes": .integer(cost.mostResident),
        ]
    }

    private static func json(_ duration: Duration) -> JSONValue { .integer(Int(duration.nanoseconds / 1000)) }
}
