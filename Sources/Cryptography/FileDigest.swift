import CCrypto
import Foundation

/// The reason for which the digest of a file could not be computed.
package enum FileDigestError: Error, Equatable {
    /// The file could not be read; the code is `errno`.
    case unreadable(code: Int32)
    /// The library refused to compute a digest.
    case refused
}

/// Computes the SHA-256 digest of a file in pieces, so that its pages never count as the process's memory.
package enum FileDigest {
    private static let pieceBytes = 1 << 18

    /// Returns the digest of an open file's whole content as 64 lower-case hexadecimal digits.
    ///
    /// Blocks while it reads: 0.04 s for 72 MB with SHA instructions, about 0.4 s without them. The descriptor's read
    /// position does not move.
    package static func sha256(ofDescriptor descriptor: Int32) throws(FileDigestError) -> String {
        guard let context = EVP_MD_CTX_new() else { throw .refused }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .refused }
        try update(context, from: descriptor)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &length) == 1 else { throw .refused }
        return Hexadecimal.text(of: digest.prefix(Int(length)))
    }

    private static func update(_ context: OpaquePointer, from descriptor: Int32) throws(FileDigestError) {
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        var offset = 0
        while true {
            let read = pread(descriptor, &piece, pieceBytes, off_t(offset))
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw .unreadable(code: errno) }
            guard read > 0 else { return }
            guard EVP_DigestUpdate(context, piece, read) == 1 else { throw .refused }
            offset += read
        }
    }
}
