/// Joins JSON's escaped surrogate pairs, which YAML 1.1 does not know.
enum JSONEscapes {
    /// Replaces each escaped surrogate pair in a JSON text by its character, so that the text reads as YAML.
    ///
    /// Backslashes occur only inside JSON strings, so quotes need no check. A lone surrogate stays and YAML refuses it.
    static func joiningPairs(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var joined: [UInt8] = []
        joined.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if let high = unit(at: place, in: bytes), UTF16.isLeadSurrogate(high),
                let low = unit(at: place + 6, in: bytes), UTF16.isTrailSurrogate(low)
            {
                joined += String(decoding: [high, low], as: UTF16.self).utf8
                place += 12
                continue
            }
            let length = bytes[place] == UInt8(ascii: "\\") ? 2 : 1
            joined += bytes[place..<min(place + length, bytes.count)]
            place += length
        }
        return String(decoding: joined, as: UTF8.self)
    }

    /// Reads the code unit of a four-digit escape; nil when there is none.
    private static func unit(at place: Int, in bytes: [UInt8]) -> UInt16? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt16(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
    }
}
