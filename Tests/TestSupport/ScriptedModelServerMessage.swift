import Foundation
import Runtime

/// A whole HTTP request, as the server read it off its connection.
struct ScriptedModelServerMessage: Sendable {
    let method: String
    let path: String
    let headers: HeaderFields
    let body: [UInt8]

    /// Takes the first whole request out of what was read; nil while it is not whole.
    init?(takenFrom unread: inout [UInt8]) {
        let blank = Array("\r\n\r\n".utf8)
        guard let end = unread.firstRange(of: blank) else { return nil }
        let lines = String(decoding: unread[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var headers = HeaderFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.add(String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
        guard unread.count >= end.upperBound + length else { return nil }
        let line = lines[0].split(separator: " ")
        method = line.first.map(String.init) ?? ""
        path = line.dropFirst().first.map(String.init) ?? ""
        self.headers = headers
        body = Array(unread[end.upperBound..<end.upperBound + length])
        unread.removeFirst(end.upperBound + length)
    }
}
