import Cryptography
import Foundation
import Testing

/// The digest of a file is that of its bytes, however long it is.
struct FileDigestTests {
    @Test(arguments: [0, 1, 3, 262_143, 262_144, 262_145, 1_000_000])
    func `a file's digest is that of its bytes, and its position stays`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try withFile(bytes) { descriptor in
            lseek(descriptor, 7, SEEK_SET)
            let digest = try FileDigest.sha256(ofDescriptor: descriptor)
            #expect(digest == Digest.sha256(bytes).hex)
            #expect(lseek(descriptor, 0, SEEK_CUR) == 7)
        }
    }

    @Test func `the digest of a known file is the published one`() throws {
        try withFile(Array("abc".utf8)) { descriptor in
            let digest = try FileDigest.sha256(ofDescriptor: descriptor)
            #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        }
    }

    @Test func `a descriptor that is not open has no digest`() {
        #expect(throws: FileDigestError.unreadable(code: EBADF)) { try FileDigest.sha256(ofDescriptor: -1) }
    }

    @Test func `a folder has no digest`() {
        let descriptor = open("/tmp", O_RDONLY)
        defer { close(descriptor) }
        #expect(throws: FileDigestError.unreadable(code: EISDIR)) {
            try FileDigest.sha256(ofDescriptor: descriptor)
        }
    }

    private func withFile(_ bytes: [UInt8], _ body: (Int32) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "digest-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDONLY)
        defer {
            close(descriptor)
            unlink(path)
        }
        try body(descriptor)
    }
}
