import Cryptography
import Foundation

/// Digests of everything that could change answers: prompts, partials, rules, canned lines and the program itself.
enum RunComponents {
    /// Digests by component name.
    static func digests(_ settings: Settings) throws(CommandFailure) -> [String: String] {
        var digests = try digests(ofPrompts: settings.folder(.promptsFolder))
        digests["binary"] = try digest(of: "/proc/self/exe")
        digests["budget-ms"] = settings[.budget].text
        return digests
    }

    /// Digests of a prompts folder's files.
    static func digests(ofPrompts folder: String) throws(CommandFailure) -> [String: String] {
        var digests: [String: String] = [:]
        for part in ["", "rules/", "exemplars/", "replies/", "detector/"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + part)) ?? []
            for name in names.sorted() where name.hasSuffix(".prompt") || name.hasSuffix(".yaml") {
                digests["prompts/\(part)\(name)"] = try digest(of: "\(folder)/\(part)\(name)")
            }
        }
        return digests
    }

    private static func digest(of path: String) throws(CommandFailure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("\(path) cannot be read.") }
        defer { close(descriptor) }
        do {
            return try FileDigest.sha256(ofDescriptor: descriptor)
        } catch {
            throw CommandFailure("\(path) cannot be read: \(error)")
        }
    }
}
