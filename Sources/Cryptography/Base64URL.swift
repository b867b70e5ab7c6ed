/// Encodes bytes as text that needs no escaping in a URL: base64url without padding (RFC 4648, section 5).
package enum Base64URL {
    /// Encodes each three bytes as four characters.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        // Other modules' collections are not specialised here: one copy is cheaper than a call for each byte.
        let bytes = ContiguousArray(bytes)
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { letters in
            var (bits, held, written): (UInt32, UInt32, Int) = (0, 0, 0)
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                held += 8
                while held >= 6 {
                    held -= 6
                    letters[written] = alphabet[Int(bits >> held & 63)]
                    written += 1
                }
            }
            guard held > 0 else { return written }
            letters[written] = alphabet[Int(bits << (6 - held) & 63)]
            return written + 1
        }
    }

    /// Decodes a text; returns nil unless it is exactly what ``text(of:)`` writes.
    package static func bytes(of text: some StringProtocol) -> [UInt8]? {
        let digits = ContiguousArray(text.utf8)
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4 + 1)
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // Bits that are left over must be zero: otherwise two texts would stand for the same bytes.
        return bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
    }

    /// The value of each character; 255 for one that is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// Encodes bytes as lower-case hexadecimal text (RFC 4648, section 8).
package enum Hexadecimal {
    /// Encodes each byte as two digits.
    package static func text(of bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            var index = 0
            for byte in bytes {
                digits[index] = digit(byte >> 4)
                digits[index + 1] = digit(byte & 0xF)
                index += 2
            }
            return index
        }
    }

    /// Decodes a text in either case; returns nil when it has an odd length or another character.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
