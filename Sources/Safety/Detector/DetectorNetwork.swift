/// The arithmetic of a detector: the sum of the rows of a text's n-grams, the vector through a matrix, what is below zero
/// cut off, and one more matrix for all heads at once.
///
/// A row is of 8-bit numbers, so that a text of 15 words adds some 200 rows of 64 bytes: about 6 µs.
struct DetectorNetwork: Sendable {
    /// The numbers that are added at once.
    static let lanes = 16

    let description: DetectorDescription
    private let hidden: Int
    private let outputs: Int
    /// For each bucket of words, then of letters, its row; -1 when it has none.
    private let rowOfBucket: [Int32]
    private let rows: [Int8]
    private let scales: [Float]
    private let hiddenShifts: [Float]
    private let outputShifts: [Float]
    /// A row of outputs for each hidden number.
    private let outward: [Float]
    /// For each number of the vector, and then for having one, a row of the hidden numbers and the outputs.
    private let vectorRows: [Float]

    /// Takes a file's numbers.
    init(_ file: DetectorFile) {
        description = file.description
        hidden = file.description.hidden
        outputs = file.description.outputs
        var next: Int32 = 0
        var rowOfBucket = [Int32](repeating: -1, count: 2 * HashedFeatures.buckets)
        for (place, byte) in file.present.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (1 << bit) != 0 {
                rowOfBucket[place * 8 + bit] = next
                next += 1
            }
        }
        self.rowOfBucket = rowOfBucket
        rows = file.rows
        var place = 0
        func take(_ count: Int) -> [Float] {
            defer { place += count }
            return Array(file.floats[place..<(place + count)])
        }
        scales = take(hidden)
        hiddenShifts = take(hidden)
        outputShifts = take(outputs)
        outward = take(hidden * outputs)
        let dimension = file.description.dimension
        vectorRows = dimension == 0 ? [] : take((dimension + 1) * (hidden + outputs))
    }

    /// The numbers of all heads for a text's n-grams and its vector, before they are probabilities.
    func outputs(of features: HashedFeatures, vector: [Float]?) -> [Float] {
        var (sums, numbers) = sums(of: features, vector: vector)
        for place in 0..<hidden { sums[place] = max(0, sums[place]) }
        outward.withUnsafeBufferPointer { outward in
            numbers.withUnsafeMutableBufferPointer { numbers in
                for place in 0..<hidden where sums[place] > 0 {
                    Self.add(outward, place &* outputs, numbers, times: sums[place])
                }
            }
        }
        return numbers
    }

    /// How much an n-gram weighs in one of the numbers, where the others of its text are as they are; 0 for an unknown one.
    func weights(
        of features: HashedFeatures,
        vector: [Float]?,
        in output: Int
    ) -> (HashedFeatures.Kind, Int32) -> Float {
        let sums = sums(of: features, vector: vector).hidden
        let norms = norms(of: features)
        return { kind, bucket in
            let row = rowOfBucket[Int(bucket) + (kind == .words ? 0 : HashedFeatures.buckets)]
            guard row >= 0 else { return 0 }
            let weight = (0..<hidden).reduce(Float(0)) { sum, place in
                guard sums[place] > 0 else { return sum }
                return sum + Float(rows[Int(row) * hidden + place]) * scales[place] * outward[place * outputs + output]
            }
            return weight * (kind == .words ? norms.words : norms.letters)
        }
    }

    private func norms(of features: HashedFeatures) -> (words: Float, letters: Float) {
        (
            description.gains[0] / Float(max(1, features.words.count)).squareRoot(),
            description.gains[1] / Float(max(1, features.letters.count)).squareRoot()
        )
    }

    private func sums(of features: HashedFeatures, vector: [Float]?) -> (hidden: [Float], outputs: [Float]) {
        var sums = hiddenShifts + outputShifts
        let norms = norms(of: features)
        addRows(features.words, from: 0, times: norms.words, to: &sums)
        addRows(features.letters, from: HashedFeatures.buckets, times: norms.letters, to: &sums)
        if let vector {
            vectorRows.withUnsafeBufferPointer { rows in
                sums.withUnsafeMutableBufferPointer { sums in
                    for (place, number) in vector.enumerated() {
                        Self.add(rows, place &* (hidden &+ outputs), sums, times: number)
                    }
                    Self.add(rows, vector.count &* (hidden &+ outputs), sums, times: 1)
                }
            }
        }
        return (Array(sums[..<hidden]), Array(sums[hidden...]))
    }

    /// The rows that 16 bits can add up.
    private static let mostRows = 256

    private func addRows(_ buckets: [Int32], from first: Int, times norm: Float, to sums: inout [Float]) {
        let known = rowOfBucket.withUnsafeBufferPointer { table in
            buckets.compactMap { bucket in
                let row = table[first &+ Int(bucket)]
                return row < 0 ? nil : Int(row) &* hidden
            }
        }
        rows.withUnsafeBytes { rows in
            var begin = 0
            while begin < known.count {
                let end = min(begin + Self.mostRows, known.count)
                for place in stride(from: 0, to: hidden, by: Self.lanes) {
                    var sum = SIMD16<Int16>.zero
                    for row in known[begin..<end] {
                        let numbers = rows.loadUnaligned(fromByteOffset: row &+ place, as: SIMD16<Int8>.self)
                        sum &+= SIMD16<Int16>(truncatingIfNeeded: numbers)
                    }
                    for lane in 0..<Self.lanes { sums[place + lane] += Float(sum[lane]) * scales[place + lane] * norm }
                }
                begin = end
            }
        }
    }

    /// Adds a row of numbers, times a factor, to others.
    @inline(__always)
    private static func add(
        _ rows: UnsafeBufferPointer<Float>,
        _ first: Int,
        _ sums: UnsafeMutableBufferPointer<Float>,
        times factor: Float
    ) {
        let row = UnsafeRawBufferPointer(rows)
        let sum = UnsafeMutableRawBufferPointer(sums)
        let count = sums.count
        var place = 0
        while place &+ 8 <= count {
            let added = row.loadUnaligned(fromByteOffset: (first &+ place) &* 4, as: SIMD8<Float>.self) * factor
            let old = sum.loadUnaligned(fromByteOffset: place &* 4, as: SIMD8<Float>.self)
            sum.storeBytes(of: old + added, toByteOffset: place &* 4, as: SIMD8<Float>.self)
            place &+= 8
        }
        while place < count {
            sums[place] += rows[first &+ place] * factor
            place &+= 1
        }
    }
}
