import Synchronization

/// A number of seconds that only grows.
final class Offset: Sendable {
    private let value = Mutex(0.0)

    var seconds: Double { value.withLock { $0 } }

    func add(_ seconds: Double) { value.withLock { $0 += seconds } }
}
