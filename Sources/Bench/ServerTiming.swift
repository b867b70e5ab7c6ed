/// Parses the `Server-Timing` header field (W3C, Server Timing, section 3).
package enum ServerTiming {
    /// Names and durations of the stages, in the field's order.
    ///
    /// Metrics without a duration are skipped.
    package static func stages(of field: String) -> [(String, Duration)] {
        field.split(separator: ",").compactMap { metric in
            let parts = metric.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let name = parts.first, let duration = parts.first(where: { $0.hasPrefix("dur=") }),
                let milliseconds = Double(duration.dropFirst(4)), milliseconds.isFinite
            else { return nil }
            return (String(name), .microseconds(Int64((milliseconds * 1000).rounded())))
        }
    }
}
