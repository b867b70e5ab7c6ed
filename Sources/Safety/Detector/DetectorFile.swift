import Cryptography
import Foundation

/// A trained detector's file.
///
/// It holds eight bytes of name, then version and description length as 32-bit numbers. Then come the file length as a
/// 64-bit number and the SHA-256 of the rest. The rest is the description in JSON and the numbers. All is
/// little-endian.
struct DetectorFile {
    static let name = Array("hearthdt".utf8)
    static let version: UInt32 = 1
    private static let front = 56

    let description: DetectorDescription
    /// One bit for each word bucket, then letter bucket: true if it has a row.
    let present: [UInt8]
    /// The numbers after the bits, in the order of ``DetectorNetwork``.
    let floats: [Float]
    /// The weight rows of the n-grams.
    let rows: [Int8]

    /// Reads a file; 4 MB take about 10 ms.
    init(path: String) throws(DetectorFileError) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw .notThere(path: path) }
        try self.init([UInt8](data), path: path)
    }

    /// Reads the bytes of a file.
    init(_ bytes: [UInt8], path: String) throws(DetectorFileError) {
        guard bytes.count >= Self.front, Array(bytes[..<8]) == Self.name else { throw .foreign(path: path) }
        let version = UInt32(Self.number(bytes, at: 8, bytes: 4))
        guard version == Self.version else { throw .otherVersion(path: path, found: version, known: Self.version) }
        let described = Int(Self.number(bytes, at: 12, bytes: 4))
        let stated = Int(truncatingIfNeeded: Self.number(bytes, at: 16, bytes: 8))
        guard bytes.count == stated else { throw .otherLength(path: path, found: bytes.count, stated: stated) }
        guard Digest.sha256(bytes[Self.front...]).bytes == Array(bytes[24..<Self.front]) else {
            throw .otherDigest(path: path)
        }
        let numbers = Self.front + described
        guard numbers <= bytes.count else { throw .description(path: path, fault: "it is longer than the file") }
        do {
            description = try JSONDecoder().decode(
                DetectorDescription.self,
                from: Data(bytes[Self.front..<numbers])
            )
        } catch {
            throw .description(path: path, fault: "\(error)")
        }
        try Self.check(description, path)
        let bits = 2 * HashedFeatures.buckets / 8
        let floatCount = Self.floatCount(description)
        let wanted = bits + 4 * floatCount + description.rows * description.hidden
        guard bytes.count - numbers == wanted else {
            throw .description(path: path, fault: "it tells of \(wanted) bytes, \(bytes.count - numbers) follow")
        }
        present = Array(bytes[numbers..<(numbers + bits)])
        let set = present.reduce(0) { $0 + $1.nonzeroBitCount }
        guard set == description.rows else {
            throw .description(path: path, fault: "it tells of \(description.rows) rows, there are \(set)")
        }
        floats = bytes.withUnsafeBytes { bytes in
            (0..<floatCount).map {
                Float(
                    bitPattern: UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: numbers + bits + 4 * $0, as: UInt32.self)
                    )
                )
            }
        }
        guard floats.allSatisfy(\.isFinite) else { throw .description(path: path, fault: "a weight is no number") }
        rows = bytes[(numbers + bits + 4 * floatCount)...].map { Int8(bitPattern: $0) }
    }

    private static func floatCount(_ file: DetectorDescription) -> Int {
        2 * file.hidden + file.outputs * (1 + file.hidden)
            + (file.dimension == 0 ? 0 : (file.dimension + 1) * (file.hidden + file.outputs))
    }

    /// Checks that the detector can work with a description.
    private static func check(_ file: DetectorDescription, _ path: String) throws(DetectorFileError) {
        guard file.hidden > 0, file.hidden <= 1024, file.hidden % DetectorNetwork.lanes == 0 else {
            throw .description(path: path, fault: "\(file.hidden) numbers between n-grams and heads")
        }
        guard file.gains.count == 2, (0...4096).contains(file.dimension),
            (0...(2 * HashedFeatures.buckets)).contains(file.rows)
        else { throw .description(path: path, fault: "its sizes are not possible") }
        for (name, mode) in file.modes {
            for head in file.heads {
                let wanted = head.kind == .softmax ? 1 : head.labels.count
                guard mode.slopes[head.name]?.count == wanted, mode.shifts[head.name]?.count == wanted else {
                    throw .description(path: path, fault: "mode \(name) does not calibrate \(head.name)")
                }
            }
        }
        guard file.modes["text"] != nil, file.dimension == 0 || file.modes["vector"] != nil else {
            throw .description(path: path, fault: "a mode is missing")
        }
    }

    private static func number(_ bytes: [UInt8], at place: Int, bytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
    }
}

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
