package import Conversation
import Foundation
package import Runtime
import Synchronization

/// The service's figures over the last quarter of an hour, looked at every five seconds.
package final class HealthHistory: Service {
    package let name = "health"
    /// How often the figures are looked at.
    static let pace = Duration.seconds(5)
    /// How many looks are kept: fifteen minutes of them, and the one before.
    static let capacity = 181

    private struct State: Sendable {
        var samples: [HealthSample] = []
        var ailing: [String: Date] = [:]
        var resting: [String: Date] = [:]
    }

    private let metrics: Metrics
    private let readiness: any Readiness
    private let asked: [any LanguageModel]
    private let time: any TimeSource
    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Makes a history of a registry, of the parts' states, and of the models that turns ask.
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

    /// Takes the figures as they are now.
    func look() {
        let sample = HealthSample(of: metrics, at: time.now)
        let ill = readiness.parts.filter { $0.state != .ready }.map(\.name)
        let resting = asked.filter { $0.outlook.rest > .zero }.map(\.name)
        let date = time.date
        state.withLock { state in
            state.samples.append(sample)
            if state.samples.count > Self.capacity { state.samples.removeFirst() }
            state.ailing = Dictionary(uniqueKeysWithValues: Set(ill).map { ($0, state.ailing[$0] ?? date) })
            state.resting = Dictionary(uniqueKeysWithValues: Set(resting).map { ($0, state.resting[$0] ?? date) })
        }
    }

    /// The samples, the oldest first.
    var samples: [HealthSample] { state.withLock { $0.samples } }

    /// The models as they are now, each with when it was first seen to be left alone.
    var models: [(outlook: ModelOutlook, name: String, restingSince: Date?)] {
        let resting = state.withLock { $0.resting }
        return asked.map { model in
            let outlook = model.outlook
            return (outlook, model.name, outlook.rest > .zero ? resting[model.name] : nil)
        }
    }

    /// The parts as they are now, each with when it was first seen not to be well.
    var parts: [(part: ReadinessPart, since: Date?)] {
        let ailing = state.withLock { $0.ailing }
        return readiness.parts.map { ($0, $0.state == .ready ? nil : ailing[$0.name]) }
    }
}
