import Domain
import Foundation
import Runtime

/// Health of the service: limits, parts, turns, errors, alerts, cost and queues, of all replicas or one.
package struct HealthPage: ConsolePage {
    package let title: String? = "Health"
    package let place = "health"
    private let history: HealthHistory

    package init(_ history: HealthHistory) {
        self.history = history
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/health") { call async throws(ConsoleError) in
                let range = HealthRange(rawValue: call.query("range") ?? "") ?? .quarter
                let view = await view(over: range, of: call.query("replica") ?? "", by: call.deadline)
                return .page(title: "Health", view.html)
            }
        ]
    }

    /// Reads the figures of all replicas or one; this replica's own where they cannot be read.
    func view(over range: HealthRange, of replica: String, by deadline: Deadline) async -> HealthView {
        guard let sharing = history.sharing else { return HealthView(history, over: range) }
        let (date, own) = (history.date, sharing.replica)
        do throws(RecordsError) {
            let since = date.addingTimeInterval(-range.seconds)
            let known = try await sharing.records.replicas(since: date.addingTimeInterval(-86_400), by: deadline)
            let chosen = known.contains { $0.name == replica } || replica == own ? replica : nil
            var scope = HealthScope(replicas: known.map(\.name), chosen: chosen, own: own)
            if chosen == own, range.samplesOfPoint != nil { return HealthView(history, over: range, of: scope) }
            let entries = try await sharing.records.figures(
                range.step,
                since: range.step.start(of: since),
                of: chosen,
                by: deadline
            )
            scope.isPending = entries.isEmpty
            return HealthView(history, over: range, of: scope, entries: entries)
        } catch {
            sharing.log.info("health_not_read", "reason" ~ "\(error)")
            return HealthView(history, over: range, of: HealthScope(replicas: [], chosen: own, own: own, isLost: true))
        }
    }
}

/// The replicas whose figures a page shows.
struct HealthScope: Sendable {
    /// Names of the replicas that stored figures in the last day.
    let replicas: [String]
    /// The chosen replica; nil for all.
    let chosen: String?
    /// The replica that serves the page.
    let own: String
    /// True if the figures of all replicas cannot be read.
    var isLost = false
    /// True if nothing has been stored yet.
    var isPending = false

    /// The name as a choice.
    func title(of replica: String) -> String { replica == own ? "\(replica) (serves this page)" : replica }
}
