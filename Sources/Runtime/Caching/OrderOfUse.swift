/// The order in which places were used, as a linked list in an array.
///
/// Apart from the values at the places, and so not generic: a generic type's code is not made anew for another module's
/// types, and would look those up at every step.
struct OrderOfUse: Sendable {
    private struct Link {
        var newer: Int?
        var older: Int?
    }

    private var links: [Link] = []
    private var free: [Int] = []
    private var newest: Int?

    /// The place that was not used for longest.
    private(set) var oldest: Int?

    /// A place that is not in use, which becomes the one used last.
    mutating func add() -> Int {
        let place = free.popLast() ?? links.count
        if place == links.count { links.append(Link()) }
        link(place)
        return place
    }

    /// Makes a place the one used last.
    mutating func use(_ place: Int) {
        unlink(place)
        link(place)
    }

    /// Takes a place out of the order; it is given out again.
    mutating func remove(_ place: Int) {
        unlink(place)
        free.append(place)
    }

    /// The place that was used next after another.
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
