/// The recent times to the first useful piece, with their 90th percentile.
///
/// Calls without any piece are not included, because they are compared with this figure.
package struct FirstPieceTimes: Sendable, Equatable {
    private static let capacity = 128
    private static let fewest = 16
    /// The number of new times between two computations of the percentile.
    private static let stride = 8

    private var times: [Duration] = []
    private var next = 0
    private var new = 0
    /// The 90th percentile; nil with fewer than sixteen times.
    package private(set) var ninetieth: Duration?

    package init() {}

    /// Records a time.
    package mutating func add(_ time: Duration) {
        if times.count < Self.capacity {
            times.append(time)
        } else {
            times[next] = time
            next = (next + 1) % Self.capacity
        }
        new += 1
        guard times.count >= Self.fewest, ninetieth == nil || new >= Self.stride else { return }
        new = 0
        ninetieth = times.sorted()[times.count * 9 / 10]
    }
}
