package import Foundation

/// The folder that prompts are read from, and the files that are versioned with them.
package struct PromptFolder: Sendable {
    /// The folder of the prompts and partials.
    package let url: URL
    /// Files and folders that count for the version as well, such as rule packs; those that are not there are
    /// left out.
    package let extras: [URL]

    /// Names a folder.
    package init(_ url: URL, with extras: [URL] = []) {
        self.url = url
        self.extras = extras
    }

    /// Reads every file; blocks on the disk, so never from a task or a loop.
    package func files() throws(BundleError) -> [BundleFile] {
        var files: [BundleFile] = []
        for file in try contents(of: url) where file.pathExtension == "prompt" {
            files.append(try read(file, as: file.lastPathComponent))
        }
        for extra in extras where FileManager.default.fileExists(atPath: extra.path) {
            files += try extraFiles(extra)
        }
        return files
    }

    private func extraFiles(_ url: URL) throws(BundleError) -> [BundleFile] {
        let name = "extra/" + url.lastPathComponent
        guard url.isFolder else { return [try read(url, as: name)] }
        var files: [BundleFile] = []
        for file in try contents(of: url) where !file.isFolder {
            files.append(try read(file, as: name + "/" + file.lastPathComponent))
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
