import CCurl
import Foundation
import Runtime

// Sets curl's options for a transfer.
extension EasyHandle {
    func setCallbacks() throws(TransferError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context))
        try check(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, words))
        try check(ccurl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION, headArrived))
        try check(ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context))
        try check(ccurl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION, bodyArrived))
        try check(ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
        try check(ccurl_set_before_request_callback(pointer, requestReady))
        try check(ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context))
    }

    /// Checks each address before its socket is made, if the policy restricts them.
    func setAddresses(_ policy: AddressPolicy) throws(TransferError) {
        guard policy == .publicOnly else { return }
        try check(ccurl_set_open_socket_callback(pointer, socketWanted))
        try check(ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque()))
    }

    func setRequest(_ request: OutgoingRequest, _ settings: HTTPClientSettings) throws(TransferError) {
        try check(ccurl_set_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(ccurl_set_string(pointer, CURLOPT_URL, request.url))
        try check(ccurl_set_string(pointer, CURLOPT_USERAGENT, settings.userAgent))
        try check(ccurl_set_long(pointer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS))
        try check(ccurl_set_long(pointer, CURLOPT_PIPEWAIT, request.isSecure ? 1 : 0))
        try check(ccurl_set_long(pointer, CURLOPT_FOLLOWLOCATION, 0))
        if request.acceptsCompression { try check(ccurl_set_string(pointer, CURLOPT_ACCEPT_ENCODING, "")) }
        try setMethod(request)
        try setFields(request.headers)
    }

    private func setMethod(_ request: OutgoingRequest) throws(TransferError) {
        if request.method == .head {
            try check(ccurl_set_long(pointer, CURLOPT_NOBODY, 1))
            return
        }
        if !request.body.isEmpty || request.method != .get {
            try check(ccurl_set_large(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
            let code = request.body.withUnsafeBytes {
                ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(words))
            }
            try check(code)
        }
        if request.method != .post {
            try check(ccurl_set_string(pointer, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
        }
    }

    private func setFields(_ headers: HeaderFields) throws(TransferError) {
        for field in headers.all { try append(field) }
        // Curl adds these two fields on its own; they are removed unless the caller gave them.
        for name in ["Expect", "Content-Type"] where headers[name] == nil {
            fields = curl_slist_append(fields, name + ":")
        }
        try check(ccurl_set_pointer(pointer, CURLOPT_HTTPHEADER, fields))
    }

    private func append(_ field: HeaderFields.Field) throws(TransferError) {
        let isWhole = !field.name.isEmpty && !field.name.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
        guard isWhole, !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw .invalidRequest(reason: "header field \(field.name.debugDescription)")
        }
        // Curl needs a semicolon after a field without a value; with a colon it drops the field.
        let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
        fields = curl_slist_append(fields, line)
    }

    func setLimits(within left: Duration, _ settings: HTTPClientSettings) throws(TransferError) {
        let connecting = min(left, settings.connectTime)
        try check(
            ccurl_set_long(pointer, CURLOPT_TIMEOUT_MS, Self.milliseconds(left + (isSecure ? .seconds(1) : .zero)))
        )
        try check(ccurl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(connecting)))
        try check(ccurl_set_long(pointer, CURLOPT_NOSIGNAL, 1))
        // Without this option the loop would wait for curl's resolver thread after a timeout.
        try check(ccurl_set_long(pointer, CURLOPT_QUICK_EXIT, 1))
        try check(ccurl_set_long(pointer, CURLOPT_TCP_NODELAY, 1))
        try check(ccurl_set_long(pointer, CURLOPT_TCP_KEEPALIVE, 1))
        try check(ccurl_set_long(pointer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
    }

    /// Always verifies the peer's certificate.
    ///
    /// With an extra certificate file, the system's certificates come from their folder, because curl accepts one file.
    /// Without one, no folder is set, so curl caches the parsed certificates for a day.
    func setTrust(_ settings: HTTPClientSettings) throws(TransferError) {
        try check(ccurl_set_long(pointer, CURLOPT_SSL_VERIFYPEER, 1))
        try check(ccurl_set_long(pointer, CURLOPT_SSL_VERIFYHOST, 2))
        guard let extra = settings.extraCertificates else {
            try check(ccurl_set_string(pointer, CURLOPT_CAPATH, nil))
            return
        }
        try check(ccurl_set_string(pointer, CURLOPT_CAINFO, extra))
        try check(ccurl_set_string(pointer, CURLOPT_CAPATH, "/etc/ssl/certs"))
    }

    func setProxy(for request: OutgoingRequest, _ proxy: ProxySettings) throws(TransferError) {
        // An empty name keeps curl from reading the environment.
        try check(ccurl_set_string(pointer, CURLOPT_PROXY, proxy.proxy(for: request) ?? ""))
        try check(ccurl_set_string(pointer, CURLOPT_NOPROXY, proxy.noProxy))
    }

    private func check(_ code: CURLcode) throws(TransferError) {
        guard code != CURLE_OK else { return }
        throw .failed(code: Int(code.rawValue), reason: String(cString: curl_easy_strerror(code)))
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        max(1, Int((duration.nanoseconds + 999_999) / 1_000_000))
    }
}

private func handle(_ context: UnsafeMutableRawPointer) -> EasyHandle {
    Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
}

private let headArrived: ccurl_data_callback = { data, size, count, context in
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    return handle(context).receiveHead(line) ? line.count : 0
}

private let bodyArrived: ccurl_data_callback = { data, size, count, context in
    guard let context else { return 0 }
    return handle(context).receiveBody(UnsafeRawBufferPointer(start: data, count: size * count))
}

private let requestReady: curl_prereq_callback = { context, _, _, _, _ in
    guard let context else { return Int32(CURL_PREREQFUNC_ABORT) }
    return handle(context).maySend() ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
}

private let socketWanted: curl_opensocket_callback = { context, _, address in
    guard let context, let address else { return CURL_SOCKET_BAD }
    let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(address.pointee.addrlen))
    guard handle(context).mayConnect(to: bytes, family: address.pointee.family) else { return CURL_SOCKET_BAD }
    return socket(address.pointee.family, address.pointee.socktype | closesOnExecution, address.pointee.protocol)
}

private let closesOnExecution = Int32(SOCK_CLOEXEC.rawValue)
