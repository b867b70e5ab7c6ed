/// A run read back from its file.
package struct RunSummary: Sendable {
    /// Header of the run.
    package var header: RunHeader
    /// End of the run; nil if it was cut off.
    package var end: RunEnd?
    /// Tally of the samples.
    package var tally: RunTally

    package init(header: RunHeader, end: RunEnd?, tally: RunTally) {
        self.header = header
        self.end = end
        self.tally = tally
    }

    /// Reads a run's file.
    ///
    /// A sample that ended in an error counts only if no later line replaces it.
    ///
    /// - Throws: ``RunFileError/doubled(path:sample:)`` if a sample with a result occurs twice.
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
