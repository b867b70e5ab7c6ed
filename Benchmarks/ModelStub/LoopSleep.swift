import Runtime

/// Waiting on an event loop's own timer, which costs less than a task's sleep.
enum LoopSleep {
    /// Waits on the loop; at once when there is none.
    static func sleep(_ duration: Duration, on loop: EventLoop?) async {
        guard let loop else { return }
        await LoopSleeper(loop).sleep(duration)
    }
}

private actor LoopSleeper {
    private let loop: EventLoop
    private var timer: LoopTimer?
    private let rang = OneShot<Void>()

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func sleep(_ duration: Duration) async {
        let timer = LoopTimer(loop) { [rang] in rang.settle(()) }
        timer.start(after: duration)
        self.timer = timer
        await rang.value(ifCancelled: ())
        self.timer = nil
    }
}
