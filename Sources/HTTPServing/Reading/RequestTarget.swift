/// The path and query of a request line.
struct RequestTarget: Sendable {
    /// The path, percent-decoded; "*" for the asterisk form.
    let path: String
    /// The query's pairs in order, percent-decoded; "+" is a space.
    let query: [(name: String, value: String)]

    /// Reads a target (RFC 9112, section 3.2): a path, `http://host/path`, or `*`.
    ///
    /// An escaped "/" in the path counts as "/". A path that begins with "//" is refused, because some readers take it
    /// for a host.
    init(_ bytes: ArraySlice<UInt8>) throws(HTTPFailure) {
        guard !bytes.isEmpty, bytes.allSatisfy(\.isTargetByte) else { throw .badTarget }
        let target = bytes.elementsEqual("*".utf8) ? bytes : try Self.originForm(of: bytes)
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = try Self.decoded(parts[0], plusIsSpace: false)
        query = try parts.count == 2 ? Self.pairs(parts[1]) : []
    }

    private static func originForm(of bytes: ArraySlice<UInt8>) throws(HTTPFailure) -> ArraySlice<UInt8> {
        var path = bytes
        for scheme: StaticString in ["http://", "https://"]
        where bytes.prefix(scheme.utf8CodeUnitCount).isEqual(ignoringCaseOf: scheme) {
            let rest = bytes.dropFirst(scheme.utf8CodeUnitCount)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex else { throw .badTarget }
            path = rest[slash...]
        }
        guard path.first == UInt8(ascii: "/"), path.dropFirst().first != UInt8(ascii: "/") else { throw .badTarget }
        return path
    }

    private static func pairs(_ query: ArraySlice<UInt8>) throws(HTTPFailure) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = try parts.count == 2 ? decoded(parts[1], plusIsSpace: true) : ""
            pairs.append((try decoded(parts[0], plusIsSpace: true), value))
        }
        return pairs
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(HTTPFailure) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                    throw .badTarget
                }
                text.append(UInt8(high << 4 | low))
            case UInt8(ascii: "+") where plusIsSpace: text.append(UInt8(ascii: " "))
            default: text.append(byte)
            }
        }
        guard !text.contains(0), let string = String(validating: text, as: UTF8.self) else { throw .badTarget }
        return string
    }
}
