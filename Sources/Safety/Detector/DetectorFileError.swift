/// Reasons why a detector's file is refused.
package enum DetectorFileError: Error, Equatable, CustomStringConvertible {
    case notThere(path: String)
    /// The file does not begin as a detector's file.
    case foreign(path: String)
    case otherVersion(path: String, found: UInt32, known: UInt32)
    case otherLength(path: String, found: Int, stated: Int)
    case otherDigest(path: String)
    /// The description is unreadable or does not match the numbers.
    case description(path: String, fault: String)
    /// The detector reads another kind of text, such as replies instead of messages.
    case otherPurpose(path: String, found: String, wanted: String)

    package var description: String {
        switch self {
        case .notThere(let path): "\(path) is not there or cannot be read"
        case .foreign(let path): "\(path) is no detector"
        case .otherVersion(let path, let found, let known): "\(path) has version \(found); version \(known) is known"
        case .otherLength(let path, let found, let stated):
            "\(path) has \(found) bytes where it says that it has \(stated)"
        case .otherDigest(let path): "\(path) is damaged: its bytes are not those of its digest"
        case .description(let path, let fault): "\(path): its description is wrong: \(fault)"
        case .otherPurpose(let path, let found, let wanted): "\(path) reads \(found), not \(wanted)"
        }
    }
}
