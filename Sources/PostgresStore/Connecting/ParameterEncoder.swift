/// Encodes a statement's parameters for libpq as pointers, lengths and binary formats.
///
/// Reuses its buffer between calls, so that a statement allocates only when the buffer grows.
struct ParameterEncoder {
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    /// Calls `body` with the parameters; the pointers are valid during the call only.
    mutating func encode<Value>(
        _ values: [PostgresValue],
        _ body: (
            _ count: Int32,
            _ values: UnsafePointer<UnsafePointer<CChar>?>?,
            _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        lay(values)
        let ranges = self.ranges
        return bytes.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: ranges.count) { pointers in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: ranges.count * 2) { numbers in
                    for (index, range) in ranges.enumerated() {
                        let start = range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound) }
                        pointers.initializeElement(at: index, to: start?.assumingMemoryBound(to: CChar.self))
                        numbers.initializeElement(at: index, to: Int32(range?.count ?? 0))
                        numbers.initializeElement(at: ranges.count + index, to: 1)
                    }
                    let formats = numbers.baseAddress.map { $0 + ranges.count }
                    return body(Int32(ranges.count), pointers.baseAddress, numbers.baseAddress, formats)
                }
            }
        }
    }

    /// Starts the buffer with a byte that belongs to no value, so that an empty value also has an address.
    private mutating func lay(_ values: [PostgresValue]) {
        bytes.removeAll(keepingCapacity: true)
        ranges.removeAll(keepingCapacity: true)
        bytes.append(0)
        for value in values {
            let start = bytes.count
            value.encode(into: &bytes)
            ranges.append(value == .null ? nil : start..<bytes.count)
        }
    }
}
