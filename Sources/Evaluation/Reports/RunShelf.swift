package import Foundation
import Synchronization

/// The runs of a folder, for whoever reads them: a list, one run, and one held against another.
///
/// Every call blocks on the disk. What was read of a file stays in memory, small, until the file changes.
package final class RunShelf: Sendable {
    /// Runs in a list, at most.
    package static let listed = 100

    /// A run as a list shows it.
    package struct Entry: Sendable, Equatable {
        /// What its file is called, without the suffix; the run itself may be called otherwise.
        package let name: String
        /// When it began.
        package let startedAt: Date
        /// Where the words came from.
        package let mode: RunMode
        /// Its model; empty when it has none.
        package let model: String
        /// The digest of the bundle that answered; nil when the file does not say.
        package let bundle: String?
        /// What it comes to by itself, such as "passed" or "failed".
        package let verdict: String
        /// How many fixtures passed, of those that could be judged.
        package let passes: Proportion
        /// Whether a filter left fixtures out.
        package let isPartial: Bool
    }

    /// What tells one state of a file from another.
    private struct Mark: Equatable {
        let size: Int
        let modifiedAt: Date
    }

    private struct Read {
        let mark: Mark
        let entry: Entry?
    }

    private static let suffix = ".jsonl"
    private let folder: String
    private let known = Mutex<[String: Read]>([:])

    /// Names a folder, which may not be there yet.
    package init(folder: String) {
        self.folder = folder
    }

    /// The runs that began last, the latest first; files that are no runs are left out.
    package func entries() -> [Entry] {
        let files = marks().sorted { $0.value.modifiedAt > $1.value.modifiedAt }.prefix(Self.listed)
        let entries = files.compactMap { entry($0.key, $0.value) }
        known.withLock { known in known = known.filter { name, _ in files.contains { $0.key == name } } }
        return entries.sorted { ($1.startedAt, $0.name) < ($0.startedAt, $1.name) }
    }

    /// One run with all that a report shows of it; nil when the folder has none of that name.
    ///
    /// - Parameter base: The name of a run that it is held against.
    package func report(of name: String, against base: String? = nil) throws(RunFileError) -> RunReport? {
        guard let file = file(name) else { return nil }
        let run = try RunSummary(file)
        var report = RunReport(
            run: run,
            details: try RunDetails(file),
            findings: RunGate().findings(of: run.tally, run.end)
        )
        guard let base else { return report }
        guard let baseFile = self.file(base) else { return nil }
        report.comparison = RunComparison(base: try RunSummary(baseFile), candidate: run)
        report.baseDetails = try RunDetails(baseFile)
        return report
    }

    private func marks() -> [String: Mark] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var marks: [String: Mark] = [:]
        for name in names where name.hasSuffix(Self.suffix) {
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            guard let size = facts?[.size] as? Int, let at = facts?[.modificationDate] as? Date else { continue }
            marks[String(name.dropLast(Self.suffix.count))] = Mark(size: size, modifiedAt: at)
        }
        return marks
    }

    /// A file by its name, which is one of the folder's own and no path.
    private func file(_ name: String) -> RunFile? {
        marks()[name].map { _ in RunFile("\(folder)/\(name)\(Self.suffix)") }
    }

    private func entry(_ name: String, _ mark: Mark) -> Entry? {
        if let read = known.withLock({ $0[name] }), read.mark == mark { return read.entry }
        let entry = (try? RunSummary(RunFile("\(folder)/\(name)\(Self.suffix)"))).map { run in
            Entry(
                name: name,
                startedAt: run.header.startedAt,
                mode: run.header.mode,
                model: run.header.model,
                bundle: run.header.components[RunHeader.bundleComponent],
                verdict: RunGate().findings(of: run.tally, run.end).first?.0.rawValue ?? "",
                passes: run.tally.passes,
                isPartial: run.header.isPartial
            )
        }
        known.withLock { $0[name] = Read(mark: mark, entry: entry) }
        return entry
    }
}

extension RunHeader {
    /// The component that is the digest of all files of the bundle that answered.
    package static let bundleComponent = "bundle"
}
