package import Foundation
import Synchronization

/// Store of the runs in a folder: lists runs, reads one, and compares two.
///
/// Every call blocks on the disk. Parsed results are cached until the file changes.
package final class RunStore: Sendable {
    /// Limit on the length of the list.
    package static let listed = 100

    /// A run as a list shows it.
    package struct Entry: Sendable, Equatable {
        /// Name of its file without the suffix; the run itself may have another name.
        package let name: String
        /// Start time.
        package let startedAt: Date
        /// Source of the model's words.
        package let mode: RunMode
        /// Name of the model; empty if there is none.
        package let model: String
        /// Digest of the bundle that answered; nil if the file does not name it.
        package let bundle: String?
        /// Verdict on the run alone, such as "passed" or "failed".
        package let verdict: String
        /// Passed fixtures of those that could be judged.
        package let passes: Proportion
        /// True if a filter left out fixtures.
        package let isPartial: Bool
    }

    /// State of a file, to detect changes.
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

    /// Opens a folder, which need not exist yet.
    package init(folder: String) {
        self.folder = folder
    }

    /// The latest runs, newest first; files that are not runs are skipped.
    package func entries() -> [Entry] {
        let files = marks().sorted { $0.value.modifiedAt > $1.value.modifiedAt }.prefix(Self.listed)
        let entries = files.compactMap { entry($0.key, $0.value) }
        known.withLock { known in known = known.filter { name, _ in files.contains { $0.key == name } } }
        return entries.sorted { ($1.startedAt, $0.name) < ($0.startedAt, $1.name) }
    }

    /// Report of one run; nil if the folder has no run of that name.
    ///
    /// - Parameter base: Name of the run to compare with.
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

    /// Tally of a run; nil if there is no such run or its file is unreadable.
    func tally(of name: String) -> RunTally? {
        file(name).flatMap { try? RunSummary($0).tally }
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

    /// File of a run by its name.
    ///
    /// Only names in the folder's listing are found, so that no path can be passed.
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
    /// Name of the component that holds the digest of all files of the bundle.
    package static let bundleComponent = "bundle"
}
