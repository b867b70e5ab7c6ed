import Foundation

/// Reads a run's file line by line, so that its length costs no memory.
package struct RunFile: Sendable {
    /// Where it is.
    package let path: String

    /// Names a file.
    package init(_ path: String) {
        self.path = path
    }

    /// The run's header.
    ///
    /// - Throws: ``RunFileError/noHeader(path:)`` when the first line is none.
    package func header() throws(RunFileError) -> RunHeader {
        var found: RunHeader?
        try read { line in
            if case .header(let header) = line { found = header }
            return false
        }
        guard let found else { throw .noHeader(path: path) }
        return found
    }

    /// Looks at each line in order.
    ///
    /// - Returns: How many bytes belong to whole lines; what comes after is a torn last line.
    /// - Throws: ``RunFileError/corrupt(path:line:)`` for a line in the middle that cannot be read.
    @discardableResult
    package func forEach(_ look: (RunLine) -> Void) throws(RunFileError) -> Int {
        try read { line in
            look(line)
            return true
        }
    }

    /// Reads line by line for as long as the reader wants more.
    @discardableResult
    private func read(_ look: (RunLine) -> Bool) throws(RunFileError) -> Int {
        guard let file = fopen(path, "rb") else { throw .system(path: path, code: errno) }
        defer { fclose(file) }
        var buffer: UnsafeMutablePointer<CChar>?
        defer { free(buffer) }
        var capacity = 0
        var (number, whole) = (0, 0)
        while true {
            let count = getline(&buffer, &capacity, file)
            guard count > 0, let buffer else { return whole }
            number += 1
            let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
            guard bytes.last == UInt8(ascii: "\n") else { return whole }
            guard let line = RunLine(bytes) else { throw .corrupt(path: path, line: number) }
            whole += count
            guard look(line) else { return whole }
        }
    }

    /// Makes a file ready to be gone on with: the torn line is cut off, and what need not be taken again is returned.
    ///
    /// A sample that ended in an error is taken again; the later line counts.
    ///
    /// - Throws: ``RunFileError/otherRun(path:)`` when the file's run is made of other things than this one.
    package func resumed(as header: RunHeader) throws(RunFileError) -> Set<String> {
        guard try self.header().accepts(header) else { throw .otherRun(path: path) }
        var taken: Set<String> = []
        let whole = try forEach { line in
            guard case .sample(let sample) = line else { return }
            if sample.outcome == .error { taken.remove(sample.key) } else { taken.insert(sample.key) }
        }
        guard truncate(path, off_t(whole)) == 0 else { throw .system(path: path, code: errno) }
        return taken
    }
}
