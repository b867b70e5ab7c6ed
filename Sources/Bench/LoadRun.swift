package import Runtime
import Synchronization

/// Calls something in a shape for a while, and notes how long each call took.
///
/// A call that begins late because every caller was busy is timed from when it was meant to begin, so that a service that
/// stops answering for a second is charged for everybody who would have called in that second (Tene's coordinated omission).
package struct LoadRun: Sendable {
    /// How a call ended.
    package enum Ending: Sendable, Equatable {
        /// It was answered; with what the answer says of its stages, by name.
        case answered(stages: [(String, Duration)])
        /// It was not; in a word.
        case failed(String)

        package static func == (left: Ending, right: Ending) -> Bool {
            switch (left, right) {
            case (.answered(let left), .answered(let right)): left.elementsEqual(right, by: ==)
            case (.failed(let left), .failed(let right)): left == right
            default: false
            }
        }
    }

    /// What came of a run.
    package struct Outcome: Sendable {
        /// How long the calls took that were answered.
        package var answered: [Duration] = []
        /// How long each stage of theirs took.
        package var stages: [String: [Duration]] = [:]
        /// How often calls failed, by the word.
        package var failures: [String: Int] = [:]
        /// How long the run took, until its last call had ended.
        package var elapsed = Duration.zero

        /// Makes one of a run that has not called yet.
        package init() {}
    }

    fileprivate struct State {
        var next = 0
        var outcome = Outcome()
    }

    private let shape: LoadShape
    private let duration: Duration
    private let loops: EventLoopGroup
    private let call: @Sendable (Int) async -> Ending
    private let time: any TimeSource

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - loops: Where the callers live, in turn.
    ///   - call: Makes the call of that number, from 0.
    package init(
        _ shape: LoadShape,
        for duration: Duration,
        on loops: EventLoopGroup,
        time: any TimeSource = SystemTime(),
        _ call: @escaping @Sendable (Int) async -> Ending
    ) {
        self.shape = shape
        self.duration = duration
        self.loops = loops
        self.time = time
        self.call = call
    }

    /// Calls until the time is over; a call that has begun is waited for.
    package func perform() async -> Outcome {
        let state = SharedState()
        let began = time.now
        await withDiscardingTaskGroup { group in
            for caller in 0..<shape.callers {
                group.addTask(executorPreference: loops.loops[caller % loops.loops.count]) {
                    await keepCalling(since: began, state)
                }
            }
        }
        var outcome = state.value.withLock { $0.outcome }
        outcome.elapsed = time.now.since(began)
        return outcome
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    private func keepCalling(since began: Instant, _ state: SharedState) async {
        while !Task.isCancelled {
            let index = state.value.withLock { state in
                defer { state.next += 1 }
                return state.next
            }
            guard let start = shape.start(ofCall: index, in: duration) else { return }
            let meant: Instant
            if case .closed = shape {
                meant = time.now
                guard meant < began + duration else { return }
            } else {
                meant = began + start
                if time.now < meant { try? await time.sleep(until: meant) }
            }
            let ending = await call(index)
            let took = time.now.since(meant)
            state.value.withLock { $0.note(ending, took) }
        }
    }
}

extension LoadRun.State {
    fileprivate mutating func note(_ ending: LoadRun.Ending, _ took: Duration) {
        switch ending {
        case .failed(let word): outcome.failures[word, default: 0] += 1
        case .answered(let stages):
            outcome.answered.append(took)
            for (stage, time) in stages { outcome.stages[stage, default: []].append(time) }
        }
    }
}
