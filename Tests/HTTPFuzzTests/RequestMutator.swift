import Runtime

/// Makes requests that are nearly right: well-formed ones with a few of the faults that readers disagree about.
struct RequestMutator {
    private static let wellFormed = [
        "GET /seen/a HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "GET /seen/b%20c?d=e+f HTTP/1.1\r\nHost: a:80\r\nUser-Agent: fuzz\r\nConnection: keep-alive\r\n\r\n",
        "HEAD /seen/h HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/seen/x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /seen/old HTTP/1.0\r\n\r\n",
        "POST /seen/p HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\n\r\nhello, world!",
        "PUT /seen/q HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody",
        "POST /seen/c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n",
        "POST /seen/e HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: a\r\n\r\n5;a=b\r\nhello\r\n0\r\nT: u\r\n\r\n",
        "DELETE /seen/d HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\nGET /seen/inner HTTP/1.1\r\nHost: a\r\n\r\n123\n",
    ]

    private static let fragments = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\0", " ", "\t", ":", ";", ",", "\u{b}", "\u{7f}", "é", "%", "%00", "#", "//",
        "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Content-Length: 5, 5\r\n", "Content-Length: -1\r\n",
        "Content-Length: +5\r\n", "Content-Length : 5\r\n", "content-length:5\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n", "Transfer-Encoding:\tchunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding : chunked\r\n", "transfer-encoding: CHUNKED\r\n",
        "Host: b\r\n", "Host:\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n", "Expect: x\r\n",
        "X: y\r\n z\r\n",
        "0\r\n\r\n", "0\r\n", "5\r\nhello\r\n", "ffffffffffffffff\r\n", "-1\r\n", "0x5\r\n", "5 \r\n", "5;\r\n",
        "00000005\r\n",
        "GET /seen/smuggled HTTP/1.1\r\nHost: a\r\n\r\n", " HTTP/1.1", "HTTP/2.0", "HTTP/1.0", "PRI * HTTP/2.0\r\n\r\n",
    ].map { [UInt8]($0.utf8) }

    private static let telling = [UInt8]("\r\n\0 \t:;,%+-0159aAfFgx#/?*\u{1}\u{7f}".utf8) + [0x80, 0xFF]

    private var random: SeededGenerator

    /// Makes the mutator of a case, which its number determines.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// One to three requests in a row, with at most four faults.
    mutating func requests() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += pick().utf8 }
        for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty { mutate(&bytes) }
        return bytes
    }

    /// Places at which to cut the bytes into the pieces that are sent one after another.
    mutating func cuts(of count: Int) -> [Int] {
        guard count > 1 else { return [] }
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 1..<count, using: &random) }
            .sorted()
    }

    private mutating func pick() -> String {
        Self.wellFormed.randomElement(using: &random) ?? ""
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1, 2: bytes[place] = Self.telling.randomElement(using: &random) ?? 0
        case 3: bytes.insert(Self.telling.randomElement(using: &random) ?? 0, at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
        case 5: bytes.removeSubrange(place...)
        case 6, 7: bytes.insert(contentsOf: fragment(), at: lineStart(near: place, in: bytes))
        case 8: bytes.insert(contentsOf: fragment(), at: place)
        case 9: duplicateLine(at: place, in: &bytes)
        case 10: splice(at: place, in: &bytes)
        default: lengthen(at: place, in: &bytes)
        }
    }

    private mutating func fragment() -> [UInt8] {
        Self.fragments.randomElement(using: &random) ?? []
    }

    private func lineStart(near place: Int, in bytes: [UInt8]) -> Int {
        bytes[..<place].lastIndex(of: 10).map { $0 + 1 } ?? 0
    }

    private func duplicateLine(at place: Int, in bytes: inout [UInt8]) {
        let start = lineStart(near: place, in: bytes)
        let end = bytes[place...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
        bytes.insert(contentsOf: bytes[start..<end], at: start)
    }

    private mutating func splice(at place: Int, in bytes: inout [UInt8]) {
        let other = [UInt8](pick().utf8)
        bytes.replaceSubrange(place..., with: other[Int.random(in: 0..<other.count, using: &random)...])
    }

    /// Now and then something becomes longer than a limit.
    private mutating func lengthen(at place: Int, in bytes: inout [UInt8]) {
        let isRare = Int.random(in: 0..<50, using: &random) == 0
        let count = isRare ? Int.random(in: 8_000...70_000, using: &random) : Int.random(in: 1...40, using: &random)
        bytes.insert(contentsOf: repeatElement(bytes[place], count: count), at: place)
    }
}
