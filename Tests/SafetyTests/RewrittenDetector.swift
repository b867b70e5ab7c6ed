import Cryptography
import Foundation
import Testing

/// Files of detectors whose description was changed, and which are whole otherwise.
enum RewrittenDetector {
    /// Returns a file's bytes with another text in place of one in its description; its lengths and its digest are right.
    static func bytes(of path: String, replacing what: String, with instead: String) throws -> [UInt8] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let length = Int(bytes[12]) | Int(bytes[13]) << 8 | Int(bytes[14]) << 16
        let text = String(decoding: bytes[56..<(56 + length)], as: UTF8.self)
        #expect(text.contains(what))
        let description = Array(text.replacing(what, with: instead).utf8)
        let body = description + bytes[(56 + length)...]
        var file = Array(bytes[..<12])
        file += withUnsafeBytes(of: UInt32(description.count).littleEndian, Array.init)
        file += withUnsafeBytes(of: UInt64(56 + body.count).littleEndian, Array.init)
        return file + Digest.sha256(body).bytes + body
    }
}
