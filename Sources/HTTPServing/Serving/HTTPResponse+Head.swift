import Foundation
import Runtime

/// The framing of a response's body (RFC 9112, section 6).
enum BodyFraming {
    /// A `Content-Length` field.
    case length(Int)
    /// Chunks, of which the last is empty.
    case chunked
    /// None: there is no body, or the body ends with the connection.
    case none
}

extension HTTPResponse {
    /// True if a response with this status may have a body (RFC 9110, sections 15.2, 15.3.5 and 15.4.5).
    var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

    /// Returns the bytes of the response before its body.
    ///
    /// A byte that could end a header line early is written as a space. Fields that the server writes itself are left
    /// out.
    func head(minorVersion: Int, framing: BodyFraming, closes: Bool, date: String) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(256)
        head.append(contentsOf: (minorVersion == 0 ? "HTTP/1.0 " : "HTTP/1.1 ").utf8)
        head.append(contentsOf: String(status).utf8)
        head.append(.space)
        head.append(contentsOf: (Self.phrases[status] ?? "Status").utf8)
        head.append(contentsOf: "\r\nDate: ".utf8)
        head.append(contentsOf: date.utf8)
        for field in headers.all where !field.isReservedForServer {
            head.append(contentsOf: "\r\n".utf8)
            head.append(contentsOf: field.name.utf8)
            head.append(contentsOf: ": ".utf8)
            for byte in field.value.utf8 { head.append(byte.isLineByte ? byte : .space) }
        }
        switch framing {
        case .length(let count):
            head.append(contentsOf: "\r\nContent-Length: ".utf8)
            head.append(contentsOf: String(count).utf8)
        case .chunked: head.append(contentsOf: "\r\nTransfer-Encoding: chunked".utf8)
        case .none: break
        }
        if closes { head.append(contentsOf: "\r\nConnection: close".utf8) }
        head.append(contentsOf: "\r\n\r\n".utf8)
        return head
    }

    /// The reason phrases after the status code; clients ignore them.
    private static let phrases = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found",
        303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}

extension HeaderFields.Field {
    private static let servers = ["Content-Length", "Transfer-Encoding", "Connection", "Date"]

    /// True if the server writes the field itself, or its name is invalid.
    fileprivate var isReservedForServer: Bool {
        name.isEmpty || !name.allBytes(satisfy: \.isTokenByte)
            || Self.servers.contains { name.isEqualIgnoringCase(to: $0) }
    }
}

/// The text of the `Date` field, renewed once a second (RFC 9110, section 5.6.7).
struct DateField {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second = Int.min
    private var text = ""

    /// The text for a time in seconds since 1970.
    mutating func text(at now: Int) -> String {
        if now != second {
            second = now
            text = Self.text(of: now)
        }
        return text
    }

    private static func text(of seconds: Int) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        let date = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
