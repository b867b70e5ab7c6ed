/// Finds where bytes stop being UTF-8.
package enum UTF8Check {
    /// Returns the offset of the first byte that is not UTF-8, counted from 0; nil when all bytes are valid.
    package static func firstInvalid(in bytes: [UInt8]) -> Int? {
        if bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil { return nil }
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error, .emptyInput: return offset
            }
        }
    }
}
