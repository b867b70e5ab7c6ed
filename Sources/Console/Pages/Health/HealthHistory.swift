package import Domain
import Foundation
package import Runtime
import Synchronization

/// History of the service's metrics: every five seconds of the last 15 minutes, every minute of the last three hours.
package final class HealthHistory: Service {
    package let name = "health"
    /// Sampling interval.
    static let pace = Duration.seconds(5)
    /// Number of samples kept: 15 minutes and the one before.
    static let capacity = 181

    /// Samples of five seconds between two that are kept for three hours.
    private static let stride = 12

    private struct State: Sendable {
        var samples: [HealthSample] = []
        var older: [HealthSample] = []
        var taken = 0
        var unreadySince: [String: Date] = [:]
        var resting: [String: Date] = [:]
    }

    private let metrics: Metrics
    private let readiness: any Readiness
    private let asked: [any LanguageModel]
    private let time: any TimeSource
    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates a history of the metrics, of the readiness of parts, and of the models that answer turns.
    package init(
        _ metrics: Metrics,
        _ readiness: any Readiness,
        models: [any LanguageModel] = [],
        time: any TimeSource = SystemTime()
    ) {
        asked = models
        self.metrics = metrics
        self.readiness = readiness
        self.time = time
    }

    package func start() async throws {
        task.withLock { $0 = Task { await run() } }
    }

    package func drain(by deadline: Deadline) async {
        guard let running = task.withLock({ $0 }) else { return }
        running.cancel()
        await running.value
    }

    private func run() async {
        while !Task.isCancelled {
            look()
            do {
                try await time.sleep(until: time.now + Self.pace)
            } catch {
                return
            }
        }
    }

    /// Takes a sample now.
    func look() {
        let sample = HealthSample(of: metrics, at: time.now)
        let ill = readiness.parts.filter { $0.state != .ready }.map(\.name)
        let resting = asked.filter { $0.outlook.rest > .zero }.map(\.name)
        let date = time.date
        state.withLock { state in
            state.samples.append(sample)
            if state.samples.count > Self.capacity { state.samples.removeFirst() }
            if state.taken % Self.stride == 0 { state.older.append(sample) }
            if state.older.count > Self.capacity { state.older.removeFirst() }
            state.taken += 1
            state.unreadySince = Dictionary(uniqueKeysWithValues: Set(ill).map { ($0, state.unreadySince[$0] ?? date) })
            state.resting = Dictionary(uniqueKeysWithValues: Set(resting).map { ($0, state.resting[$0] ?? date) })
        }
    }

    /// Time of now, by the clock of the samples.
    var date: Date { time.date }

    /// Samples of the last 15 minutes, oldest first.
    var samples: [HealthSample] { samples(over: .quarter) }

    /// Samples of a time, oldest first; the last one is the newest.
    func samples(over range: HealthRange) -> [HealthSample] {
        state.withLock { state in
            switch range {
            case .quarter: return state.samples
            case .hours:
                let isNewest = (state.taken - 1) % Self.stride == 0
                return state.older + (isNewest ? [] : state.samples.suffix(1))
            }
        }
    }

    /// Current state of the models, each with the time at which its circuit breaker opened.
    var models: [(outlook: ModelOutlook, name: String, breakerOpenSince: Date?)] {
        let resting = state.withLock { $0.resting }
        return asked.map { model in
            let outlook = model.outlook
            return (outlook, model.name, outlook.rest > .zero ? resting[model.name] : nil)
        }
    }

    /// Current state of the parts, each with the time since which it has not been ready.
    var parts: [(part: ReadinessPart, since: Date?)] {
        let unreadySince = state.withLock { $0.unreadySince }
        return readiness.parts.map { ($0, $0.state == .ready ? nil : unreadySince[$0.name]) }
    }
}

/// The time that the health page covers, as its address says.
enum HealthRange: String, Sendable, CaseIterable {
    case quarter = "15m"
    case hours = "3h"

    /// The time in words.
    var words: String {
        switch self {
        case .quarter: "15 min"
        case .hours: "3 h"
        }
    }
}
