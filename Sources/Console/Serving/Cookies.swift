import Runtime

/// Cookies of a request (RFC 6265, section 5.4); the first of several with the same name counts.
struct Cookies: Sendable {
    private var values: [String: String] = [:]

    init(_ headers: HeaderFields) {
        for field in headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let halves = pair.drop { $0 == " " }.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                guard halves.count == 2, values[String(halves[0])] == nil else { continue }
                values[String(halves[0])] = String(halves[1])
            }
        }
    }

    subscript(_ name: String) -> String? { values[name] }
}
