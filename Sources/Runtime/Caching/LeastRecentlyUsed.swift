/// Stores values by key in the order of their use, within a limit of cost; the least recently used are evicted first.
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
    private var order = UsageOrder()

    /// The sum of all costs.
    package private(set) var cost = 0

    package init() {}

    /// The number of values.
    package var count: Int { entries.count }

    /// The keys of all values, in no order.
    package var everyKey: some Collection<Key> { entries.keys }

    /// Returns the value of a key and makes it the most recently used.
    package mutating func use(_ key: Key) -> Value? {
        guard let entry = entries[key] else { return nil }
        order.use(entry.place)
        return entry.value
    }

    /// Returns the value of a key without marking it as used.
    package func peek(_ key: Key) -> Value? {
        entries[key]?.value
    }

    /// Stores a value as the most recently used; replaces the value of the same key.
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

    /// Removes the least recently used values until the sum of costs is within a limit.
    ///
    /// - Parameter mayGo: True if a value may be removed; others are passed over.
    /// - Returns: The number of removed values.
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

/// Keeps the order in which places were used, as a linked list in an array.
///
/// Kept apart from the values so that it is not generic. Generic code is not specialised for the types of other
/// modules and would look them up at every step.
struct UsageOrder: Sendable {
    private struct Link {
        var newer: Int?
        var older: Int?
    }

    private var links: [Link] = []
    private var free: [Int] = []
    private var newest: Int?

    /// The least recently used place.
    private(set) var oldest: Int?

    /// Returns a free place and makes it the most recently used.
    mutating func add() -> Int {
        let place = free.popLast() ?? links.count
        if place == links.count { links.append(Link()) }
        link(place)
        return place
    }

    /// Makes a place the most recently used.
    mutating func use(_ place: Int) {
        unlink(place)
        link(place)
    }

    /// Takes a place out of the order; a later ``add()`` may return it.
    mutating func remove(_ place: Int) {
        unlink(place)
        free.append(place)
    }

    /// Returns the place that was used next after another.
    func newer(than place: Int) -> Int? { links[place].newer }

    private mutating func link(_ place: Int) {
        links[place] = Link(newer: nil, older: newest)
        if let newest { links[newest].newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let link = links[place]
        if let newer = link.newer { links[newer].older = link.older } else { newest = link.older }
        if let older = link.older { links[older].newer = link.newer } else { oldest = link.newer }
    }
}
