import Foundation
import Synchronization

/// The service's event loops, one for each core by default.
package final class EventLoopGroup: Sendable {
    /// The loops, in order of their index.
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts the loops.
    package init(count: Int = ProcessInfo.processInfo.activeProcessorCount) {
        loops = (0..<max(1, count)).map { EventLoop(index: $0) }
    }

    /// The caller's own loop; otherwise the next one in turn.
    package var nearest: EventLoop {
        if let current = EventLoop.current, current.index < loops.count, loops[current.index] === current {
            return current
        }
        return loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
    }

    /// Ends every loop once all queued work has run; must not be called on a loop.
    package func stop() {
        for loop in loops { loop.stop() }
    }
}
