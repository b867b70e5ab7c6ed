/// Values by key in the order of their use, each with a cost, so that what was not used for longest can make
/// room.
///
/// Every operation takes constant time, apart from passing over values that must stay. The order is a linked
/// list of places in an array.
package struct LeastRecentlyUsed<Key: Hashable, Value> {
    fileprivate struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    /// The sum of all costs.
    package private(set) var cost = 0

    /// Makes an empty store.
    package init() {}

    /// How many values there are.
    package var count: Int { places.count }

    /// The value of a key, which becomes the one used last.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        unlink(place)
        link(place)
        return nodes[place]?.value
    }

    /// The value of a key, without using it.
    package func peek(_ key: Key) -> Value? {
        places[key].flatMap { nodes[$0]?.value }
    }

    /// Stores a value as the one used last; replaces that of the same key.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        let place = free.popLast() ?? nodes.count
        if place == nodes.count { nodes.append(nil) }
        nodes[place] = Node(key: key, value: value, cost: cost)
        places[key] = place
        self.cost += cost
        link(place)
    }

    /// Removes a key and its value.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let node = nodes[place] else { return nil }
        unlink(place)
        nodes[place] = nil
        free.append(place)
        cost -= node.cost
        return node.value
    }

    /// Removes the values that were not used for longest until the costs are within a limit.
    ///
    /// - Parameter mayGo: Whether a value may be removed; one that may not is passed over.
    /// - Returns: How many were removed.
    @discardableResult
    package mutating func evict(to limit: Int, where mayGo: (Value) -> Bool = { _ in true }) -> Int {
        var removed = 0
        var candidate = oldest
        while cost > limit, let place = candidate, let node = nodes[place] {
            candidate = node.newer
            guard mayGo(node.value) else { continue }
            remove(node.key)
            removed += 1
        }
        return removed
    }

    private mutating func link(_ place: Int) {
        nodes[place]?.older = newest
        nodes[place]?.newer = nil
        if let newest { nodes[newest]?.newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        guard let node = nodes[place] else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    }
}

extension LeastRecentlyUsed: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecentlyUsed.Node: Sendable where Key: Sendable, Value: Sendable {}
