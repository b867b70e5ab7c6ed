import Foundation

/// Lines of standard input as raw bytes, without repairing invalid UTF-8.
///
/// Blocks until a line is available; a last line without a line end counts.
struct InputLines: Sequence, IteratorProtocol {
    private static let newline = UInt8(ascii: "\n")
    private static let bufferBytes = 64 << 10

    private var pending: ArraySlice<UInt8> = []
    private var isAtEnd = false

    mutating func next() -> [UInt8]? {
        var searched = 0
        while true {
            if let end = pending.dropFirst(searched).firstIndex(of: Self.newline) {
                let line = Array(pending[..<end])
                pending = pending[(end + 1)...]
                return line
            }
            searched = pending.count
            guard !isAtEnd else { break }
            readMore()
        }
        defer { pending = [] }
        return pending.isEmpty ? nil : Array(pending)
    }

    private mutating func readMore() {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.bufferBytes) { buffer, count in
            var result = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = read(STDIN_FILENO, buffer.baseAddress, buffer.count) }
            count = Swift.max(0, result)
        }
        isAtEnd = bytes.isEmpty
        pending = ArraySlice(Array(pending) + bytes)
    }
}
