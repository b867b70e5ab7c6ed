/// Reads the stages of an answer's `Server-Timing` field (W3C, Server Timing, section 3).
package enum ServerTiming {
    /// Each stage with how long it took, in the field's order; a metric without a duration is left out.
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
