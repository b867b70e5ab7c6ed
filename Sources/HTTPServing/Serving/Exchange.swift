import CEvent
import Runtime

/// A request that `evhttp` has read, until the kernel has taken its response.
struct Exchange {
    /// The request; `evhttp` owns it and frees it after the response or the connection's end.
    let request: UnsafeMutablePointer<evhttp_request>
    /// The method; nil when the request could not be read that far.
    let method: HTTPMethod?
    /// The minor version of HTTP.
    let minorVersion: Int
    /// The time at which the request's first byte arrived.
    let received: Instant
    /// True if the connection ends with the response.
    var closes: Bool
    /// True if more of a refused request may arrive, so that closing must wait.
    var lingers = false
    /// The pattern of the matched route.
    var pattern = ""
    /// The status of the response.
    var status = 0
    /// The number of body bytes in the response.
    var bytes = 0
    /// The task that runs the handler.
    var task: Task<Void, Never>?

    /// The request's header fields as `evhttp` read them.
    var headers: HeaderFields {
        var fields = HeaderFields()
        var next = request.pointee.input_headers.pointee.tqh_first
        while let field = next?.pointee {
            fields.add(String(cString: field.key), String(cString: field.value))
            next = field.next.tqe_next
        }
        return fields
    }

    /// The request's body without chunk framing.
    var body: [UInt8] {
        let buffer = request.pointee.input_buffer
        let count = evbuffer_get_length(buffer)
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            filled = max(0, Int(evbuffer_remove(buffer, bytes.baseAddress, count)))
        }
    }

    /// Keeps `evhttp` from deciding about the connection: it knows one spelling of `close` and no other option.
    func takeConnectionFields() {
        while evhttp_remove_header(request.pointee.input_headers, "Connection") == 0 {}
        while evhttp_remove_header(request.pointee.input_headers, "Proxy-Connection") == 0 {}
    }

    /// Makes `evhttp` keep the connection after this response; the connection's owner closes it.
    func keepConnection() {
        while evhttp_remove_header(request.pointee.output_headers, "Connection") == 0 {}
        evhttp_add_header(request.pointee.input_headers, "Connection", "keep-alive")
    }
}

extension Exchange {
    /// Gives a complete response to `evhttp` for writing.
    mutating func send(_ response: HTTPResponse, _ body: [UInt8]) {
        let hasBody = method != .head && response.allowsBody
        addHeaders(of: response)
        if response.allowsBody {
            evhttp_add_header(request.pointee.output_headers, "Content-Length", String(body.count))
        }
        if hasBody {
            evbuffer_add(request.pointee.output_buffer, body, body.count)
            bytes = body.count
        }
        evhttp_send_reply(request, Int32(response.status), response.phrase, nil)
    }

    /// Begins a streamed response: chunked, or until the connection's end for HTTP/1.0.
    mutating func beginStream(_ response: HTTPResponse) {
        if minorVersion == 0 { closes = true }
        addHeaders(of: response)
        evhttp_send_reply_start(request, Int32(response.status), response.phrase)
    }

    /// Writes one chunk of a streamed response.
    mutating func write(_ chunk: [UInt8]) {
        let buffer = evbuffer_new()
        defer { evbuffer_free(buffer) }
        evbuffer_add(buffer, chunk, chunk.count)
        bytes += chunk.count
        evhttp_send_reply_chunk(request, buffer)
    }

    private mutating func addHeaders(of response: HTTPResponse) {
        status = response.status
        let output = request.pointee.output_headers
        for field in response.headers.all where !field.isServers {
            evhttp_add_header(output, field.name, field.value.withoutControls)
        }
        if closes { evhttp_add_header(output, "Connection", "close") }
    }
}

extension HeaderFields.Field {
    private static let servers = ["Content-Length", "Transfer-Encoding", "Connection", "Date"]

    /// True if only the server may write the field, or its name is invalid.
    fileprivate var isServers: Bool {
        name.isEmpty || !name.allBytes(satisfy: \.isTokenByte)
            || Self.servers.contains { name.isEqualIgnoringCase(to: $0) }
    }
}

extension String {
    /// Replaces each byte that could end a header line by a space.
    fileprivate var withoutControls: String {
        guard !allBytes(satisfy: \.isLineByte) else { return self }
        return String(decoding: utf8.map { $0.isLineByte ? $0 : .space }, as: UTF8.self)
    }
}
