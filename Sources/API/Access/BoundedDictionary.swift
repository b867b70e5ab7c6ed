import Runtime

/// A dictionary with a maximum number of entries; inserting beyond it removes the oldest entry.
struct BoundedDictionary<Key: Hashable, Value> {
    private var values: [Key: (value: Value, generation: Int)] = [:]
    private var order = FirstInFirstOut<(key: Key, generation: Int)>()
    private var generation = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { values.count }

    /// Reads or writes an entry; an update keeps its position, and nil removes it.
    subscript(_ key: Key) -> Value? {
        get { values[key]?.value }
        set {
            guard let newValue else {
                values[key] = nil
                return
            }
            if let present = values[key] {
                values[key] = (newValue, present.generation)
            } else {
                insert(newValue, for: key)
            }
        }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        generation += 1
        values[key] = (value, generation)
        order.append((key, generation))
        while values.count > capacity || order.count > 2 * capacity, let first = order.popFirst() {
            if values[first.key]?.generation == first.generation { values[first.key] = nil }
        }
    }
}
