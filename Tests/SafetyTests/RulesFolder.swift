import Foundation

/// The packs that come with the service.
enum RulesFolder {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let path = root.appending(path: "prompts/rules").path
}
