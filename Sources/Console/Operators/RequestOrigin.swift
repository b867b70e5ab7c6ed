import HTTPServing
import Runtime

/// Whether a request comes from a page of ours, by what the browser itself says.
enum RequestOrigin {
    /// A browser says so in `Sec-Fetch-Site`; one that does not must name our host in `Origin`.
    ///
    /// Our pages send no referrer, and then `Origin` is "null" for a form (Fetch Standard, section 3.1), so that it counts
    /// only where there is nothing better.
    static func isOurs(_ headers: HeaderFields) -> Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
        return origin == "https://\(host)" || origin == "http://\(host)"
    }
}
