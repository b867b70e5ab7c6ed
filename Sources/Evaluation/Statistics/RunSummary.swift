/// A run as it is read back from its file.
package struct RunSummary: Sendable {
    /// What it was made of.
    package var header: RunHeader
    /// How it ended; nil when it was cut off.
    package var end: RunEnd?
    /// What its samples came to.
    package var tally: RunTally

    /// Makes a summary.
    package init(header: RunHeader, end: RunEnd?, tally: RunTally) {
        self.header = header
        self.end = end
        self.tally = tally
    }

    /// Reads a run's file; of a sample that was taken again, the later line counts.
    package init(_ file: RunFile) throws(RunFileError) {
        header = try file.header()
        var again: Set<String> = []
        var seen: Set<String> = []
        try file.forEach { line in
            if case .sample(let sample) = line, !seen.insert(sample.key).inserted { again.insert(sample.key) }
        }
        var (end, tally) = (RunEnd?.none, RunTally())
        tally.expect(header.fixtures)
        var pending: [String: SampleRecord] = [:]
        try file.forEach { line in
            switch line {
            case .header: break
            case .sample(let sample):
                if again.contains(sample.key) { pending[sample.key] = sample } else { tally.add(sample) }
            case .end(let read): end = read
            }
        }
        for sample in pending.values.sorted(by: { $0.key < $1.key }) { tally.add(sample) }
        self.end = end
        self.tally = tally
    }
}
