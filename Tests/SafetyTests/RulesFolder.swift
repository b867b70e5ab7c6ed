import Foundation
import Safety

/// The packs that come with the service.
enum RulesFolder {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let path = root.appending(path: "prompts/rules").path

    /// The judge of replies that comes with the service, by words alone.
    static func judge() throws -> ReplyDetector {
        try ReplyDetector(path: root.appending(path: "prompts/detector/replies.detector").path, space: nil)
    }
}
