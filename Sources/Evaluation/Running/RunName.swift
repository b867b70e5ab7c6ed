import Cryptography
import Foundation

/// Generates names of runs: the time, and a few random letters for uniqueness.
package enum RunName {
    /// A unique name.
    package static func new() -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyyMMdd-HHmmss"
        return "\(formatter.string(from: Date()))-\(Hexadecimal.text(of: RandomToken.bytes(count: 2)))"
    }
}
