package import Conversation
package import Cryptography
import Foundation

/// The key that an operator signs in with: whose it is, and a secret that the record does not have.
package struct OperatorKey: Sendable, Equatable {
    /// Whose key it is.
    package let `operator`: OperatorID
    private let secret: String

    /// Makes a new key.
    package init(for person: OperatorID) {
        self.operator = person
        secret = RandomToken.text()
    }

    /// Reads a key; nil when the text is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "operator", parts[2].utf8.count == 43,
            let bytes = Hexadecimal.bytes(of: String(parts[1])), bytes.count == 16
        else { return nil }
        let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.operator = OperatorID(UUID(uuid: uuid))
        secret = String(parts[2])
    }

    /// The key as it is shown once and typed in.
    package var text: String {
        "operator_\(self.operator.description.replacing("-", with: ""))_\(secret)"
    }

    /// The hash under which the record keeps it; about 30 ms.
    package var hash: SlowHash { SlowHash(of: secret) }

    /// Whether a hash is this key's; about 30 ms.
    func fits(_ hash: SlowHash) -> Bool { hash.isHash(of: secret) }
}
