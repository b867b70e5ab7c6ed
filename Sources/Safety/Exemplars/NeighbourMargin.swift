/// How much nearer the nearest exemplars of danger are than those of ordinary talk, on average.
struct NeighbourMargin {
    private var risk: NearestFew
    private var ordinary: NearestFew

    /// Makes a margin of so many neighbours on either side.
    init(_ neighbours: Int) {
        risk = NearestFew(neighbours)
        ordinary = NearestFew(neighbours)
    }

    /// Takes the cosine of one more exemplar.
    mutating func add(_ cosine: Float, isRisk: Bool) {
        if isRisk { risk.add(cosine) } else { ordinary.add(cosine) }
    }

    /// The difference of the two averages.
    var value: Float { risk.mean - ordinary.mean }
}

/// The greatest of many numbers.
private struct NearestFew {
    private let limit: Int
    private var values: [Float] = []
    private var least = -Float.infinity

    init(_ limit: Int) {
        self.limit = limit
        values.reserveCapacity(limit + 1)
    }

    mutating func add(_ value: Float) {
        if values.count == limit, value <= least { return }
        values.insert(value, at: values.firstIndex { $0 < value } ?? values.count)
        if values.count > limit { values.removeLast() }
        least = values[values.count - 1]
    }

    var mean: Float { values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count) }
}
