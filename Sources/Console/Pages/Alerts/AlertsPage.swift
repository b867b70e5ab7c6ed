package import Domain
import Foundation

/// The alert queue of a tenant, with pages to acknowledge, hand over and resolve an alert.
package struct AlertsPage: ConsolePage {
    package let title: String? = "Alerts"
    package let place = "alerts"

    private static let maximumWaiting = 200
    private static let maximumAcknowledged = 50
    private static let maximumNoteCharacters = 1_000
    static let queuePath = ConsolePath("alerts", "queue")

    private let alerts: any AlertQueue & AlertAnswers
    private let acknowledged: @Sendable (Duration, Level) -> Void

    /// Creates the page.
    ///
    /// - Parameter acknowledged: Called with the waiting time of an alert that an operator acknowledges.
    package init(
        _ alerts: any AlertQueue & AlertAnswers,
        acknowledged: @escaping @Sendable (Duration, Level) -> Void = { _, _ in }
    ) {
        self.alerts = alerts
        self.acknowledged = acknowledged
    }

    package var routes: [ConsoleRoute] {
        [
            .get("/alerts") { call async throws(ConsoleError) in
                .page(title: "Alerts", try await queue(call).html, scripts: [.alerts])
            },
            .get("/alerts/queue", isUse: false) { call async throws(ConsoleError) in
                .fragment(try await queue(call).lists)
            },
            .get("/alerts/{patient}/{alert}", action: "alert_look", show),
            .post("/alerts/{patient}/{alert}/acknowledge", .operator, action: "alert_acknowledge") {
                call async throws(ConsoleError) in
                try await take(call, note: call.form["note"], resolves: false)
            },
            .post("/alerts/{patient}/{alert}/resolve", .operator, action: "alert_resolve") {
                call async throws(ConsoleError) in
                try await take(call, note: call.form["end"], resolves: true)
            },
            .post("/alerts/{patient}/{alert}/hand-over", .operator, action: "alert_hand_over", handOver),
        ]
    }

    /// Address of an alert, or of an action on it.
    static func path(of alert: AlertListItem, _ action: String? = nil) -> ConsolePath {
        let (patient, id) = (alert.patient.description, alert.id.description)
        return action.map { ConsolePath("alerts", patient, id, $0) } ?? ConsolePath("alerts", patient, id)
    }

    private func queue(_ call: ConsoleRequestContext) async throws(ConsoleError) -> AlertQueueView {
        do throws(RecordsError) {
            return AlertQueueView(
                waiting: try await alerts.unacknowledgedAlerts(
                    of: call.tenant,
                    limit: Self.maximumWaiting,
                    by: call.deadline
                ),
                taken: try await alerts.acknowledgedAlerts(
                    of: call.tenant,
                    limit: Self.maximumAcknowledged,
                    by: call.deadline
                ),
                masking: call.masking,
                date: call.date
            )
        } catch {
            throw ConsoleError(error)
        }
    }

    /// Loads the alert of a request; an alert of another patient or tenant is not found.
    private func sheet(_ call: ConsoleRequestContext) async throws(ConsoleError) -> AlertReport {
        let id: AlertID = try call.id("alert")
        let patient: PatientID = try call.id("patient")
        do throws(RecordsError) {
            let sheet = try await alerts.sheet(of: id, tenant: call.tenant, by: call.deadline)
            if let sheet, sheet.queued.line.patient == patient { return sheet }
        } catch {
            throw ConsoleError(error)
        }
        throw .notFound
    }

    private func show(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let sheet = try await sheet(call)
        let title = "\(AlertLabels.name(of: sheet.queued.line.category)), \(sheet.queued.line.level.rawValue)"
        return .page(title: title, AlertDetailView(sheet: sheet, call: call).html, scripts: [.alerts])
    }

    private func take(
        _ call: ConsoleRequestContext,
        note: String,
        resolves: Bool
    ) async throws(ConsoleError) -> ConsoleResponse {
        let line = try await sheet(call).queued.line
        let acknowledgement = Acknowledgement(
            by: nil,
            operatorName: call.operator.name,
            way: "console",
            note: String(note.prefix(Self.maximumNoteCharacters)),
            resolves: resolves
        )
        let outcome: AcknowledgementOutcome
        do throws(RecordsError) {
            outcome = try await alerts.acknowledge(
                line.id,
                of: line.patient,
                tenant: call.tenant,
                acknowledgement,
                by: call.deadline
            )
        } catch {
            throw ConsoleError(error)
        }
        switch outcome {
        case .taken(let waited, let level):
            if line.acknowledgedAt == nil { acknowledged(waited, level) }
            let notice = resolves ? "The alert is resolved." : "The alert is acknowledged."
            return .redirect(Self.path(of: line), notice: notice)
        case .already(let since):
            throw .conflict("The alert was acknowledged already, at \(since.formatted(.iso8601)). Reload the page.")
        case .unknown: throw .notFound
        }
    }

    private func handOver(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let line = try await sheet(call).queued.line
        let to = String(call.form["to"].prefix(200))
        guard !to.isEmpty else { throw .conflict("Enter the person to hand the alert over to.") }
        let handover = AlertHandover(
            from: call.operator.name,
            to: to,
            note: String(call.form["note"].prefix(Self.maximumNoteCharacters))
        )
        let isDone: Bool
        do throws(RecordsError) {
            isDone = try await alerts.handOver(line.id, tenant: call.tenant, handover, by: call.deadline)
        } catch {
            throw ConsoleError(error)
        }
        guard isDone else { throw .conflict("Only an acknowledged alert can be handed over.") }
        return .redirect(Self.path(of: line), notice: "The alert is handed over to \(to).")
    }
}
