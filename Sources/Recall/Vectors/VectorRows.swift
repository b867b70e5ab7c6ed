import COpenBLAS

/// Rows of numbers in one stretch of memory, with room for more.
///
/// `@unchecked Sendable`: a row is written once, by ``write(_:at:)`` under the lock of the matrix that owns
/// the rows, before the count that a reader is given includes it; written rows never change.
final class VectorRows: @unchecked Sendable {
    /// How many rows there is room for.
    let capacity: Int
    private let dimension: Int
    private let numbers: UnsafeMutablePointer<Float>

    /// Makes room for rows, without any.
    init(capacity: Int, dimension: Int) {
        SingleThreadedAlgebra.begin()
        self.capacity = capacity
        self.dimension = dimension
        numbers = .allocate(capacity: capacity * dimension)
    }

    /// Makes room for more rows, beginning with the first rows of another.
    convenience init(capacity: Int, copying count: Int, of other: VectorRows) {
        self.init(capacity: capacity, dimension: other.dimension)
        numbers.update(from: other.numbers, count: count * dimension)
    }

    /// How many bytes the rows may take.
    var bytes: Int { capacity * dimension * MemoryLayout<Float>.stride }

    /// Writes a row that no reader has been told of yet.
    func write(_ vector: [Float], at row: Int) {
        precondition(row < capacity && vector.count == dimension, "a row of another shape, or no room for it")
        vector.withUnsafeBufferPointer { source in
            guard let first = source.baseAddress else { return }
            (numbers + row * dimension).update(from: first, count: dimension)
        }
    }

    /// A row's numbers.
    func vector(at row: Int) -> [Float] {
        Array(UnsafeBufferPointer(start: numbers + row * dimension, count: dimension))
    }

    /// Gives `body` the dot products of the first rows with a vector: one matrix-vector product, 17 µs for
    /// 1,000 rows.
    func withProducts<Result>(
        ofFirst count: Int,
        with vector: [Float],
        _ body: (UnsafeBufferPointer<Float>) -> Result
    ) -> Result {
        precondition(count <= capacity && vector.count == dimension, "a vector of another shape")
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { products in
            if let first = products.baseAddress, count > 0 { multiply(count, by: vector, into: first) }
            return body(UnsafeBufferPointer(products))
        }
    }

    private func multiply(_ count: Int, by vector: [Float], into products: UnsafeMutablePointer<Float>) {
        let (rows, columns) = (CInt(count), CInt(dimension))
        cblas_sgemv(
            CblasRowMajor,
            CblasNoTrans,
            rows,
            columns,
            1,
            numbers,
            columns,
            vector,
            1,
            0,
            products,
            1
        )
    }

    deinit { numbers.deallocate() }
}

/// Keeps OpenBLAS from using threads of its own: a product is too short to be worth waking them.
private enum SingleThreadedAlgebra {
    private static let once: Void = openblas_set_num_threads(1)

    static func begin() { _ = once }
}
