import CCurl
import Runtime

// Reads curl's facts about a transfer.
extension EasyHandle {
    /// Curl's message about the last failure.
    var reason: String { String(cString: words) }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_long(pointer, info, &value)
        return value
    }

    /// The time from the start until a step; zero when curl reports none.
    func time(_ info: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        ccurl_get_large(pointer, info, &microseconds)
        return .microseconds(microseconds)
    }

    /// The times at which the transfer reached its steps.
    var timings: TransferTimings {
        TransferTimings(
            nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T),
            connect: time(CURLINFO_CONNECT_TIME_T),
            secure: time(CURLINFO_APPCONNECT_TIME_T),
            firstByte: time(CURLINFO_STARTTRANSFER_TIME_T),
            reusedConnection: long(CURLINFO_NUM_CONNECTS) == 0
        )
    }

    /// The error to report when the deadline passes now.
    var timedOut: TransferError { .timedOut(after: elapsed, during: phase) }

    /// True if the transfer uses TLS, so that HTTP/2 may be negotiated.
    var isSecure: Bool { transfer?.request.isSecure ?? false }

    /// The time since the transfer began.
    var elapsed: Duration {
        transfer.map { Instant.now.since($0.started) } ?? .zero
    }

    /// The step that was pending when the deadline passed.
    var phase: TransferError.Phase {
        if time(CURLINFO_STARTTRANSFER_TIME_T) > .zero { return .reading }
        if time(CURLINFO_PRETRANSFER_TIME_T) > .zero { return .waiting }
        if isSecure, long(CURLINFO_LOCAL_PORT) > 0 { return .securing }
        return time(CURLINFO_NAMELOOKUP_TIME_T) > .zero ? .connecting : .resolving
    }
}
