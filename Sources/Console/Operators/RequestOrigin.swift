import HTTPServing
import Runtime

/// Decides whether a request comes from the console's own pages, from the headers that browsers set.
enum RequestOrigin {
    /// Uses `Sec-Fetch-Site` if the browser sends it; otherwise `Origin` must name the request's host.
    ///
    /// The console's pages send no referrer, so `Origin` is "null" for their forms (Fetch Standard, section 3.1). It is
    /// therefore only the fallback.
    static func isOurs(_ headers: HeaderFields) -> Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
        return origin == "https://\(host)" || origin == "http://\(host)"
    }
}
