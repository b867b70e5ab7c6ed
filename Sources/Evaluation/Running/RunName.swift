import Cryptography
import Foundation

/// What a new run is called: the time, and a few letters that tell it from another of the same second.
package enum RunName {
    /// A name that no other run has.
    package static func new() -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyyMMdd-HHmmss"
        return "\(formatter.string(from: Date()))-\(Hexadecimal.text(of: RandomToken.bytes(count: 2)))"
    }
}
