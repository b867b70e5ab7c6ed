extension [UInt8] {
    /// Appends a duration in milliseconds as decimal digits, rounded.
    ///
    /// - Parameter digits: The number of digits after the point, 1 to 6.
    package mutating func appendMilliseconds(_ duration: Duration, digits: Int) {
        let unit = (digits..<6).reduce(1) { unit, _ in unit * 10 }
        let nanoseconds = duration.nanoseconds
        var rest = (nanoseconds.magnitude + UInt64(unit) / 2) / UInt64(unit)
        if nanoseconds < 0 { append(UInt8(ascii: "-")) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
            var start = text.count
            var written = 0
            repeat {
                if written == digits {
                    start -= 1
                    text[start] = UInt8(ascii: ".")
                }
                start -= 1
                text[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= digits
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        }
    }
}
