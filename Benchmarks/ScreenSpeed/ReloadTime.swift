import Conversation
import Domain
import Foundation
import Runtime
import Safety
import Synchronization

/// Time until an edited pack is active while two threads screen without a pause.
struct ReloadTime {
    private static let times = 20
    private static let screens = 2

    private let folder: URL
    private let book: RuleSet

    init(rules: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hearth-reload-\(UUID())")
        try FileManager.default.copyItem(at: URL(filePath: rules), to: folder)
        book = try RuleSet(folder: folder.path)
    }

    /// Edits each of the greatest packs in turn; removes the copy of the folder afterwards.
    func report(_ texts: [String]) throws -> String {
        defer { try? FileManager.default.removeItem(at: folder) }
        let isOver = Atomic(false)
        let screened = Atomic(0)
        let ended = DispatchGroup()
        for _ in 0..<Self.screens {
            DispatchQueue.global().async(group: ended) { [book] in
                let screen = RuleScreen(book)
                while !isOver.load(ordering: .relaxed) {
                    for text in texts where !isOver.load(ordering: .relaxed) {
                        if screen.screen(text).failures.isEmpty { screened.add(1, ordering: .relaxed) }
                    }
                }
            }
        }
        let files = try packs()
        let timings = Timings(Array(0..<Self.times)) { edit(files[$0 % files.count]) }
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        return "\(timings.line), \(screened.load(ordering: .relaxed)) sentences screened meanwhile"
    }

    private func packs() throws -> [URL] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        let sizes = try files.map { ($0, try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        return sizes.filter { !$0.0.lastPathComponent.hasPrefix("cues-") }.sorted { $0.1 > $1.1 }.prefix(4).map(\.0)
    }

    private func edit(_ file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        try? Data((text + "\n# edited\n").utf8).write(to: file, options: .atomic)
        _ = try? book.reload()
    }
}
