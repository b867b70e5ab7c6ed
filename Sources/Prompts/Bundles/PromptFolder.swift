package import Foundation

/// The folder of a bundle's files.
///
/// Prompts and partials are at its top. Rules, exemplars, lines and routing are beside them or one folder deeper.
package struct PromptFolder: Sendable {
    /// The file suffixes of a bundle; other files, such as pages for people, are ignored.
    private static let endings: Set<String> = ["prompt", "yaml", "json", "bin", "detector"]

    /// The folder.
    package let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    /// The folders with bundle files, as far as they exist.
    package var folders: [URL] {
        [url] + ((try? contents(of: url)) ?? []).filter(\.isFolder)
    }

    /// Reads every file; blocks on the disk, so never call it from a task or a loop.
    package func files() throws(BundleError) -> [BundleFile] {
        var files: [BundleFile] = []
        for file in try contents(of: url) {
            if file.isFolder {
                files += try nested(in: file)
            } else if Self.endings.contains(file.pathExtension) {
                files.append(try read(file, as: file.lastPathComponent))
            }
        }
        return files
    }

    /// Creates the folder and writes a bundle's files into it; blocks on the disk.
    package func write(_ files: [BundleFile]) throws(BundleError) {
        for file in files {
            let target = url.appending(path: file.path)
            do {
                let folder = target.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(file.bytes).write(to: target, options: .atomic)
            } catch {
                throw .unreadable(path: target.path, reason: error.localizedDescription)
            }
        }
    }

    private func nested(in folder: URL) throws(BundleError) -> [BundleFile] {
        var files: [BundleFile] = []
        for file in try contents(of: folder) where Self.endings.contains(file.pathExtension) && !file.isFolder {
            files.append(try read(file, as: folder.lastPathComponent + "/" + file.lastPathComponent))
        }
        return files
    }

    private func contents(of folder: URL) throws(BundleError) -> [URL] {
        do {
            return try FileManager.default
                .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch {
            throw .unreadable(path: folder.path, reason: error.localizedDescription)
        }
    }

    private func read(_ file: URL, as path: String) throws(BundleError) -> BundleFile {
        do {
            return BundleFile(path: path, bytes: Array(try Data(contentsOf: file)))
        } catch {
            throw .unreadable(path: file.path, reason: error.localizedDescription)
        }
    }
}

extension URL {
    fileprivate var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
