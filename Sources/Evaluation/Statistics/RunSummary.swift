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

    /// Reads a run's file; a sample that ended in an error counts only when no later line says otherwise.
    ///
    /// - Throws: ``RunFileError/doubled(path:sample:)`` when a sample that had come to something is there twice.
    package init(_ file: RunFile) throws(RunFileError) {
        header = try file.header()
        var (end, tally) = (RunEnd?.none, RunTally())
        tally.expect(header.fixtures)
        var settled: Set<String> = []
        var errors: [String: SampleRecord] = [:]
        var doubled: String?
        try file.forEach { line in
            switch line {
            case .header: break
            case .sample(let sample) where sample.outcome == .error: errors[sample.key] = sample
            case .sample(let sample):
                if !settled.insert(sample.key).inserted { doubled = doubled ?? sample.key }
                errors[sample.key] = nil
                tally.add(sample)
            case .end(let read): end = read
            }
        }
        if let doubled { throw .doubled(path: file.path, sample: doubled) }
        for sample in errors.values.sorted(by: { $0.key < $1.key }) where !settled.contains(sample.key) {
            tally.add(sample)
        }
        self.end = end
        self.tally = tally
    }
}
