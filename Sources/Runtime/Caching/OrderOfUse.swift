/// Keeps the order in which places were used, as a linked list in an array.
///
/// Kept apart from the values so that it is not generic. Generic code is not specialised for the types of other
/// modules and would look them up at every step.
struct OrderOfUse: Sendable {
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
