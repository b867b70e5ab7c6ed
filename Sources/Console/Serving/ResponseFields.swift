import HTTPServing
import Runtime

/// Security header fields of the console's responses: no foreign or inline content, no caching, no framing.
enum ResponseFields {
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    static func add(to response: inout HTTPResponse) {
        let fields: KeyValuePairs = [
            "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        ]
        for (name, value) in fields { response.headers[name] = value }
    }

    static func page(_ html: HTML, status: Int = 200) -> HTTPResponse {
        let headers = HeaderFields(["Content-Type": "text/html; charset=utf-8"])
        var response = HTTPResponse(status: status, headers: headers, body: .bytes(Array(html.text.utf8)))
        add(to: &response)
        return response
    }
}
