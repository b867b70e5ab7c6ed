import Foundation
import Runtime
import Synchronization
import Testing

/// Promises of the event loop to the tasks and actors that live on it.
@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    @Test func `a task that prefers a loop stays on its thread across suspensions`() async {
        let loop = EventLoop()
        defer { loop.stop() }
        let stayed = await Task(executorPreference: loop) {
            let before = loop.isCurrent
            await Task.yield()
            async let child = isOn(loop)
            let during = await child
            return before && during && loop.isCurrent
        }.value
        #expect(stayed)
    }

    @Test func `an actor on a loop is entered from a callback without suspension`() async {
        let loop = EventLoop()
        defer { loop.stop() }
        let counter = Counter(loop)
        await counter.startTimer(after: .milliseconds(1))
        #expect(await counter.rings() == 1)
    }

    @Test func `work queued from many threads all runs`() async {
        let loop = EventLoop()
        let ran = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { loop.execute { ran.increase() } } }
            }
        }
        loop.stop()
        #expect(ran.value == 8000)
    }

    @Test func `a watched socket calls when its peer writes and not before`() async {
        let loop = EventLoop()
        defer { loop.stop() }
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let reader = Reader(loop, descriptor: pair[0])
        await reader.start()
        #expect(write(pair[1], "x", 1) == 1)
        #expect(await reader.firstByte() == UInt8(ascii: "x"))
        await reader.stop()
        close(pair[0])
        close(pair[1])
    }
}

private func isOn(_ loop: EventLoop) async -> Bool { loop.isCurrent }

private actor Counter {
    private let loop: EventLoop
    private var timer: LoopTimer?
    private let rang = OneShot<Int>()

    init(_ loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func startTimer(after duration: Duration) {
        timer = LoopTimer(loop) { [self] in assumeIsolated { $0.ring() } }
        timer?.start(after: duration)
    }

    func rings() async -> Int {
        defer { timer = nil }
        return await rang.value(ifCancelled: 0)
    }

    private func ring() { rang.settle(1) }
}

private actor Reader {
    private let loop: EventLoop
    private let descriptor: Int32
    private var watch: SocketWatcher?
    private let received = OneShot<UInt8?>()

    init(_ loop: EventLoop, descriptor: Int32) {
        self.loop = loop
        self.descriptor = descriptor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start() {
        watch = SocketWatcher(loop, descriptor: descriptor) { [self] _ in assumeIsolated { $0.readByte() } }
        watch?.wait(for: .readable)
    }

    func firstByte() async -> UInt8? { await received.value(ifCancelled: nil) }

    func stop() { watch = nil }

    private func readByte() {
        var byte: UInt8 = 0
        received.settle(read(descriptor, &byte, 1) == 1 ? byte : nil)
    }
}

private final class Tally: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increase() { count.add(1, ordering: .relaxed) }
}
