import Foundation
import YAML

/// Finds and reads the fixtures of files and folders.
package struct SuiteFiles {
    /// Limit on a file's size, in bytes; YAML documents have a lower limit of their own.
    private static let mostBytes = 64 << 20

    package init() {}

    /// Reads files and folders in the given order.
    ///
    /// Of a folder, its own `.yaml`, `.csv` and `.jsonl` files are read by
    /// name.
    ///
    /// - Throws: The error in a file with its line; also for duplicate identifiers and if there is no fixture.
    package func fixtures(_ paths: [String]) throws(FixtureError) -> [Fixture] {
        var fixtures: [Fixture] = []
        for path in paths {
            for file in try files(of: path) { fixtures += try read(file) }
        }
        var seen: [String: YAMLPosition] = [:]
        for fixture in fixtures {
            if let first = seen.updateValue(fixture.position, forKey: fixture.id) {
                throw .duplicateID(at: fixture.position, id: fixture.id, first: first)
            }
        }
        guard !fixtures.isEmpty else { throw .none(path: paths.joined(separator: ", ")) }
        return fixtures
    }

    private func files(of path: String) throws(FixtureError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .unreadable(path: path, reason: "no such file or folder")
        }
        guard isFolder.boolValue else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in [".yaml", ".yml", ".csv", ".jsonl"].contains { name.hasSuffix($0) } }
            .sorted().map { path + "/" + $0 }
    }

    private func read(_ path: String) throws(FixtureError) -> [Fixture] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is no file")
        }
        guard status.st_size <= Self.mostBytes else {
            throw .unreadable(path: path, reason: "\(status.st_size) bytes, and at most \(Self.mostBytes) are read")
        }
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: "it cannot be read as UTF-8")
        }
        switch URL(fileURLWithPath: path).pathExtension {
        case "csv": return try SpreadsheetFixtures().fixtures(text, file: path)
        case "jsonl": return try JSONLinesFixtures().fixtures(text, file: path)
        default: return try SuiteReader().fixtures(text, file: path)
        }
    }
}
