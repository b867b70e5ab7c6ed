/// How long the first useful pieces of late took to come, and the time within which nine of ten came.
///
/// Calls that never spoke are not in it: they are what the figure is compared with.
package struct FirstPieceTimes: Sendable, Equatable {
    private static let capacity = 128
    private static let fewest = 16
    /// How many new times there are between two reckonings.
    private static let stride = 8

    private var times: [Duration] = []
    private var next = 0
    private var new = 0
    /// The time within which nine of ten came; nil while fewer than sixteen are known.
    package private(set) var ninetieth: Duration?

    /// Makes an empty record.
    package init() {}

    /// Takes note of one.
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
