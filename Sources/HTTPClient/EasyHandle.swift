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
    /// The header fields of the request, as curl takes them; freed once the transfer is over.
    var fields: UnsafeMutablePointer<curl_slist>?
    /// Why we broke the transfer off, which curl reports as an error of its callback.
    private var breach: TransferError? { didSet { if breach != nil { abandon() } } }
    /// Whether a request has begun to go out on some connection.
    private var wasDue = false
    /// Where curl writes what went wrong.
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

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
            try setProxy(for: transfer.request, settings.proxy)
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

    /// Has the connection closed with the transfer unless others use it.
    ///
    /// Curl 7.88 queues the frame that ends a stream of HTTP/2 and sends it with the connection's next traffic, which may
    /// never come: without this, or ``flush()`` where others use the connection, a peer would go on answering.
    func abandon() {
        ccurl_set_long(pointer, CURLOPT_FORBID_REUSE, 1)
    }

    /// Sends what curl has queued for the connection, among it the ends of other streams.
    ///
    /// Lifting a pause is the one call of curl 7.88 that does so.
    func flush() {
        guard wasDue else { return }
        curl_easy_pause(pointer, CURLPAUSE_RECV)
        curl_easy_pause(pointer, CURLPAUSE_CONT)
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
            // A later attempt's failure to connect does not undo that an earlier one had sent the request.
            return .failure(wasSent && !error.mayHaveArrived ? .connectionLost(bytes: 0) : error)
        }
        return headReader.isWhole ? .success(()) : .failure(.connectionLost(bytes: 0))
    }

    /// Called by curl with a line of a head or trailer; whether to go on.
    func receiveHead(_ line: UnsafeRawBufferPointer) -> Bool {
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

    /// Called by curl with bytes of the body; how many were taken, or curl's word for a pause.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch transfer?.receive(bytes) {
        case .taken, .pour: return bytes.count
        case .holdBack: return Int(CURL_WRITEFUNC_PAUSE)
        case .refused, nil:
            breach = .cancelled
            return 0
        }
    }

    /// Called by curl before a request goes out on a connection; whether it may.
    ///
    /// Curl repeats any request on a new connection when a reused one is lost before an answer. That is right if
    /// nothing had been sent, or if asking twice does no harm.
    func maySend() -> Bool {
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

private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
