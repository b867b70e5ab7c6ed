import CCurl
import Runtime

/// Owns a `CURL`: one transfer at a time, with the head that is being read and the strings that curl points into.
///
/// Not sendable: it lives on its shard's loop. It is reused, because making one costs more than resetting it.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// The transfer that it carries; nil while spare.
    private(set) var transfer: Transfer?
    private var headReader = ResponseHeadReader(limit: 0)
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// Why we broke the transfer off, which curl reports as an error of its callback.
    private var breach: TransferError?
    /// Whether a request has begun to go out on some connection.
    private var wasDue = false
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() {
        guard curlIsReady, let pointer = curl_easy_init() else {
            preconditionFailure("curl could not make an easy handle")
        }
        self.pointer = pointer
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    /// The handle that curl knows by its pointer.
    static func of(_ pointer: UnsafeMutableRawPointer) -> EasyHandle {
        var context: UnsafeMutableRawPointer?
        ccurl_get_pointer(pointer, CURLINFO_PRIVATE, &context)
        guard let context else { preconditionFailure("an easy handle has lost its owner") }
        return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    }

    /// Sets the handle up for a transfer.
    ///
    /// - Parameter left: The time that the whole transfer may take.
    func prepare(_ transfer: Transfer, within left: Duration, _ settings: HTTPClientSettings) throws(TransferError) {
        self.transfer = transfer
        headReader = ResponseHeadReader(limit: settings.headBytes)
        breach = nil
        wasDue = false
        words[0] = 0
        do {
            try setCallbacks()
            try setRequest(transfer.request, settings)
            try setLimits(within: left, settings)
            try setTrust(settings)
            try setProxy(for: transfer.request.url, settings.proxy)
        } catch {
            reset()
            throw error
        }
    }

    /// Lets go of the transfer; connections are the multi handle's and stay open.
    func reset() {
        curl_easy_reset(pointer)
        curl_slist_free_all(fields)
        fields = nil
        transfer = nil
    }

    /// Offers again what the reader could not take.
    func resume() {
        curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    /// What curl's code means for a transfer that has ended.
    func outcome(_ code: CURLcode) -> Result<Void, TransferError> {
        if let breach { return .failure(breach) }
        guard code == CURLE_OK else {
            let error = TransferError(code, self)
            return .failure(wasSent && !error.mayHaveArrived ? .connectionLost(bytes: 0) : error)
        }
        return headReader.isWhole ? .success(()) : .failure(.connectionLost(bytes: 0))
    }

    /// Called by curl with a line of a head or trailer; whether to go on.
    fileprivate func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
        switch headReader.read(line) {
        case .more: return true
        case .tooLarge:
            breach = .headTooLarge(limit: headReader.limit)
            return false
        case .contradictory:
            breach = .malformed(reason: "two lengths")
            return false
        case .whole:
            let head = ResponseHead(
                status: headReader.status,
                headers: headReader.headers,
                version: headReader.version,
                timings: timings
            )
            transfer?.head.settle(.success(head))
            return true
        }
    }

    /// Called by curl before a request goes out on a connection; whether it may.
    ///
    /// Curl repeats any request on a new connection when a reused one is lost before an answer. That is right if
    /// nothing had been sent, or if asking twice does no harm.
    fileprivate func maySend() -> Bool {
        let mayRepeat = transfer?.request.isRepeatable ?? false
        guard mayRepeat || !wasSent else {
            breach = .connectionLost(bytes: 0)
            return false
        }
        wasDue = true
        return true
    }

    /// Whether some of the request has left on a connection; a proxy's own `CONNECT` does not count.
    private var wasSent: Bool { wasDue && long(CURLINFO_REQUEST_SIZE) > 0 }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(fields)
        words.deallocate()
    }
}

// MARK: What is asked of curl

extension EasyHandle {
    private func setCallbacks() throws(TransferError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context))
        try check(ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, words))
        try check(ccurl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION, headArrived))
        try check(ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context))
        try check(ccurl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION, bodyArrived))
        try check(ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context))
        try check(ccurl_set_before_request_callback(pointer, requestIsDue))
        try check(ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context))
    }

    private func setRequest(_ request: OutgoingRequest, _ settings: HTTPClientSettings) throws(TransferError) {
        try check(ccurl_set_string(pointer, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(ccurl_set_string(pointer, CURLOPT_URL, request.url))
        try check(ccurl_set_string(pointer, CURLOPT_USERAGENT, settings.userAgent))
        try check(ccurl_set_long(pointer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS))
        try check(ccurl_set_long(pointer, CURLOPT_PIPEWAIT, request.url.hasPrefix("https:") ? 1 : 0))
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
        // Curl adds these two of its own accord; neither is wanted unless the caller gave it.
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
        // A field without a value is written with a semicolon; with a colon it would be left out.
        let line = field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)"
        fields = curl_slist_append(fields, line)
    }

    private func setLimits(within left: Duration, _ settings: HTTPClientSettings) throws(TransferError) {
        let connecting = min(left, settings.connectTime)
        try check(ccurl_set_long(pointer, CURLOPT_TIMEOUT_MS, Self.milliseconds(left)))
        try check(ccurl_set_long(pointer, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(connecting)))
        try check(ccurl_set_long(pointer, CURLOPT_NOSIGNAL, 1))
        // Without it the loop would wait, on giving up, for a look-up's thread.
        try check(ccurl_set_long(pointer, CURLOPT_QUICK_EXIT, 1))
        try check(ccurl_set_long(pointer, CURLOPT_TCP_NODELAY, 1))
        try check(ccurl_set_long(pointer, CURLOPT_TCP_KEEPALIVE, 1))
        try check(ccurl_set_long(pointer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
    }

    /// The peer's certificate is always checked. With a file of ours the system's certificates come from their folder,
    /// because curl takes one file; without one, curl keeps what it has read for a day as long as no folder is named.
    private func setTrust(_ settings: HTTPClientSettings) throws(TransferError) {
        try check(ccurl_set_long(pointer, CURLOPT_SSL_VERIFYPEER, 1))
        try check(ccurl_set_long(pointer, CURLOPT_SSL_VERIFYHOST, 2))
        guard let extra = settings.extraCertificates else {
            try check(ccurl_set_string(pointer, CURLOPT_CAPATH, nil))
            return
        }
        try check(ccurl_set_string(pointer, CURLOPT_CAINFO, extra))
        try check(ccurl_set_string(pointer, CURLOPT_CAPATH, "/etc/ssl/certs"))
    }

    private func setProxy(for url: String, _ proxy: ProxySettings) throws(TransferError) {
        // The empty name keeps curl from asking the environment.
        try check(ccurl_set_string(pointer, CURLOPT_PROXY, proxy.proxy(for: url) ?? ""))
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

// MARK: What curl tells

extension EasyHandle {
    /// Curl's words about the last failure.
    var reason: String { String(cString: words) }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(pointer, info, &value)
        return value
    }

    /// A step's time since the start; zero when it was not reached.
    func time(_ info: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        ccurl_get_large(pointer, info, &microseconds)
        return .microseconds(microseconds)
    }

    fileprivate var timings: TransferTimings {
        TransferTimings(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secure: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            reusedConnection: long(CURLINFO_NUM_CONNECTS) == 0
        )
    }
}

private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

private func handle(_ context: UnsafeMutableRawPointer) -> EasyHandle {
    Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
}

private let headArrived: ccurl_data_callback = { data, size, count, context in
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    return handle(context).receiveHead(line) ? line.count : 0
}

private let bodyArrived: ccurl_data_callback = { data, size, count, context in
    guard let context, let transfer = handle(context).transfer else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer.receive(bytes) ? bytes.count : Int(CURL_WRITEFUNC_PAUSE)
}

private let requestIsDue: curl_prereq_callback = { context, _, _, _, _ in
    guard let context else { return Int32(CURL_PREREQFUNC_ABORT) }
    return handle(context).maySend() ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
}
