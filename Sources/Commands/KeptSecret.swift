import Cryptography
import Foundation

/// A secret of the service: the configured one, or one that is generated once and stored in the data folder.
enum KeptSecret {
    /// Derives 32 bytes from a secret.
    static func bytes(_ key: SettingKey, _ settings: Settings) throws(CommandFailure) -> [UInt8] {
        if let text = settings.text(key) {
            guard text.utf8.count >= 32 else {
                throw CommandFailure("\(key.rawValue) must have 32 characters.", .usage)
            }
            return Digest.sha256(text).bytes
        }
        let path = settings.folder(.dataFolder) + "/" + key.rawValue
        if let kept = FileManager.default.contents(atPath: path), kept.count >= 32 { return Digest.sha256(kept).bytes }
        let made = Data(RandomToken.text().utf8)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: made, attributes: attributes) else {
            throw CommandFailure("The data folder \(settings.folder(.dataFolder)) cannot be written.")
        }
        return Digest.sha256(made).bytes
    }
}
