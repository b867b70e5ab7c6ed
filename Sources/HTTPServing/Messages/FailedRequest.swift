package import Runtime

/// The readable parts of a request that the server refused.
package struct FailedRequest: Sendable {
    /// The method's token as sent; empty when unreadable.
    package var method: String
    /// The path, percent-decoded when the request was well-formed, else as sent; empty when unreadable.
    package var path: String
    /// The readable header fields.
    package var headers: HeaderFields
    /// The address of the peer, without its port.
    package var peer: String
    /// The time at which the request's first byte arrived.
    package var received: Instant

    package init(
        method: String = "",
        path: String = "",
        headers: HeaderFields = HeaderFields(),
        peer: String,
        received: Instant
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.peer = peer
        self.received = received
    }
}

extension FailedRequest {
    /// Reads the usable parts of a head that was refused or incomplete.
    init(salvaging head: ArraySlice<UInt8>, peer: String, received: Instant) {
        self.init(peer: peer, received: received)
        let lines = head.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
            .prefix { !$0.isEmpty && $0.first != UInt8(ascii: "\r") }
        guard let first = lines.first else { return }
        let words = first.split(separator: UInt8(ascii: " ")).map(Self.printable)
        method = words.first ?? ""
        path = words.dropFirst().first.map { String($0.prefix { $0 != "?" }) } ?? ""
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[line.index(after: colon)...]
            headers.add(Self.printable(line[..<colon]), Self.printable(value))
        }
    }

    /// Replaces every byte that is not printable ASCII, so that the text can be echoed and logged.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        let text = bytes.filter { $0 != .carriageReturn }[...].trimmingBlanks
        return String(decoding: text.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
