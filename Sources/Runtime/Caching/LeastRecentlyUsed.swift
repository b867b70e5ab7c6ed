/// Values by key in the order of their use, each with a cost, so that what was not used for longest can make
/// room.
///
/// Every operation takes constant time, apart from passing over values that must stay.
package struct LeastRecentlyUsed<Key: Hashable, Value> {
    fileprivate struct Entry {
        let place: Int
        let cost: Int
        let value: Value
    }

    private var entries: [Key: Entry] = [:]
    /// The key at each place in the order of use.
    private var keys: [Key] = []
    private var order = OrderOfUse()

    /// The sum of all costs.
    package private(set) var cost = 0

    /// Makes an empty store.
    package init() {}

    /// How many values there are.
    package var count: Int { entries.count }

    /// The value of a key, which becomes the one used last.
    package mutating func use(_ key: Key) -> Value? {
        guard let entry = entries[key] else { return nil }
        order.use(entry.place)
        return entry.value
    }

    /// The value of a key, without using it.
    package func peek(_ key: Key) -> Value? {
        entries[key]?.value
    }

    /// Stores a value as the one used last; replaces that of the same key.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        self.cost += cost
        guard let old = entries[key] else {
            let place = order.add()
            if place == keys.count { keys.append(key) } else { keys[place] = key }
            entries[key] = Entry(place: place, cost: cost, value: value)
            return
        }
        order.use(old.place)
        self.cost -= old.cost
        entries[key] = Entry(place: old.place, cost: cost, value: value)
    }

    /// Removes a key and its value.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        order.remove(entry.place)
        cost -= entry.cost
        return entry.value
    }

    /// Removes the values that were not used for longest until the costs are within a limit.
    ///
    /// - Parameter mayGo: Whether a value may be removed; one that may not is passed over.
    /// - Returns: How many were removed.
    @discardableResult
    package mutating func evict(to limit: Int, where mayGo: (Value) -> Bool = { _ in true }) -> Int {
        guard cost > limit else { return 0 }
        var removed = 0
        var candidate = order.oldest
        while cost > limit, let place = candidate {
            candidate = order.newer(than: place)
            let key = keys[place]
            guard let entry = entries[key], mayGo(entry.value) else { continue }
            remove(key)
            removed += 1
        }
        return removed
    }
}

extension LeastRecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecentlyUsed.Entry: Sendable where Key: Sendable, Value: Sendable {}
