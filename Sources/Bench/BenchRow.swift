package import Runtime

/// What one run of one scenario showed.
package struct BenchRow: Sendable {
    /// The shares whose percentiles are told.
    package static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
    ]

    /// What was done.
    package let scenario: String
    /// Who did it: "hearth", or "peer".
    package let subject: String
    /// How long answered calls took.
    package let latencies: Latencies
    /// How long each stage of theirs took, by the subject's own account.
    package let stages: [String: Latencies]
    /// How often calls failed, by the word.
    package let failures: [String: Int]
    /// How long the run took.
    package let elapsed: Duration
    /// What the subject's own process used meanwhile, by the call; nil where no process was watched.
    package let cost: Cost?

    /// What a call cost the process that answered it; the database's and the model's own processes are not counted.
    package struct Cost: Sendable, Equatable {
        /// Processor time in the program.
        package let user: Duration
        /// Processor time in the kernel.
        package let system: Duration
        /// Bytes read and written.
        package let bytes: Double
        /// System calls that read or write.
        package let transfers: Double
        /// Memory in use at the end, in bytes.
        package let resident: Int
        /// The most memory in use so far, in bytes.
        package let mostResident: Int

        /// The difference of two readings, for each of so many calls; nil when nothing was called.
        package init?(from before: ProcessUsage, to after: ProcessUsage, calls: Int) {
            guard calls > 0 else { return nil }
            user = (after.user - before.user) / calls
            system = (after.system - before.system) / calls
            bytes = Double(after.bytes - before.bytes) / Double(calls)
            transfers = Double(after.transfers - before.transfers) / Double(calls)
            resident = after.resident
            mostResident = after.mostResident
        }

        /// Processor time of either kind.
        package var processor: Duration { user + system }
    }

    /// Makes a row.
    package init(_ scenario: String, of subject: String, _ outcome: LoadRun.Outcome, cost: Cost?) {
        self.scenario = scenario
        self.subject = subject
        latencies = Latencies(outcome.answered)
        stages = outcome.stages.mapValues(Latencies.init)
        failures = outcome.failures
        elapsed = outcome.elapsed
        self.cost = cost
    }

    /// Answered calls a second.
    package var rate: Double { elapsed > .zero ? Double(latencies.count) / elapsed.seconds : 0 }

    /// The row as JSON: durations in microseconds.
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
