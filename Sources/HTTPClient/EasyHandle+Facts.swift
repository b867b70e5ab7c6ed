import CCurl
import Runtime

// What curl tells of a transfer.
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

    /// When each step was reached, as far as it has been.
    var timings: TransferTimings {
        TransferTimings(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secure: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            reusedConnection: long(CURLINFO_NUM_CONNECTS) == 0
        )
    }

    /// What passing the deadline now means.
    var timedOut: TransferError { .timedOut(after: elapsed, during: phase) }

    /// Whether the transfer goes over TLS, so that HTTP/2 may be agreed on.
    var isSecure: Bool { transfer?.request.isSecure ?? false }

    /// How long the transfer has taken so far.
    var elapsed: Duration {
        transfer.map { Instant.now.since($0.started) } ?? .zero
    }

    /// The step that had not been reached when time was up.
    var phase: TransferError.Phase {
        if time(CURLINFO_STARTTRANSFER_TIME_T) > .zero { return .reading }
        if time(CURLINFO_PRETRANSFER_TIME_T) > .zero { return .waiting }
        if isSecure, long(CURLINFO_LOCAL_PORT) > 0 { return .securing }
        return time(CURLINFO_NAMELOOKUP_TIME_T) > .zero ? .connecting : .resolving
    }
}
