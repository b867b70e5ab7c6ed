import Alerts
import Conversation
import Cryptography
import Foundation
import HTTPClient
import PostgresStore
import Runtime

/// Assembles alert delivery, acknowledgement, and the monitoring of quiet patients and of the service itself.
struct AlertParts: Sendable {
    /// Accepts alerts from callers, and acknowledgements.
    let office: AlertOffice
    /// Services of the alerts, in the order in which they start.
    let services: [any Service]
    /// Notifies people while the database is unavailable.
    let spooled: SpooledAlerts
    /// Accepts fall events from devices, also while the database is unavailable.
    let falls: KeptFalls
    private let dispatcher: AlertDispatcher
    private let channels: AlertChannels
    private let figures: AlertFigures

    /// Creates the parts without starting them.
    static func make(
        _ settings: Settings,
        port: Int,
        records: PostgresRecords,
        spool: any TurnSpool,
        known: any KnownPatients,
        client: HTTPClient,
        log: Log,
        metrics: Metrics
    ) throws(CommandFailure) -> AlertParts {
        let figures = AlertFigures(in: metrics)
        let channels = try AlertChannels.make(settings, client: client)
        let base = settings.text(.publicURL) ?? "http://\(settings[.host].text):\(port)"
        let links = AlertLinks(
            key: try KeptSecret.bytes(.alertSecret, settings),
            base: base.hasSuffix("/") ? String(base.dropLast()) : base
        )
        let delivery = AlertDelivery(channels.senders, links: links, figures: figures, log: log)
        let dispatcher = AlertDispatcher(records, delivery, figures: figures, log: log)
        let spooled = SpooledAlerts(spool, delivery, metrics: metrics, log: log)
        let page = operatorsPage(channels.slack, log)
        let outage = OutageAlerts(spool, spooled, knowing: known, log: log, page: page)
        let office = AlertOffice(
            records,
            dispatcher,
            outage: outage,
            links: links,
            twilio: channels.twilio,
            figures: figures,
            log: log
        )
        let watches: [any Service] = [
            QuietWatch(records, log: log), OperatorWatch(sample: { Self.figures(metrics) }, page: page),
        ]
        let mail: [any Service] = channels.mail.map { [$0] } ?? []
        return AlertParts(
            office: office,
            services: mail + [spooled, outage, dispatcher] + watches,
            spooled: spooled,
            falls: KeptFalls(records, outage),
            dispatcher: dispatcher,
            channels: channels,
            figures: figures
        )
    }

    /// Records the time until an operator acknowledged an alert.
    @Sendable func acknowledged(after waited: Duration, level: Level) {
        figures.acknowledgement.record(waited, level.rawValue)
    }

    /// Handles announcements on the alert channel.
    var heard: PostgresListener.Handler {
        { [dispatcher] _ in dispatcher.wake() }
    }

    /// The state of the channels to contacts: degraded when none is configured.
    var readiness: ReadinessPart { channels.readiness }

    /// Pages the operators in Slack; always writes the page to the log too.
    private static func operatorsPage(_ slack: SlackSender?, _ log: Log) -> @Sendable (String) async -> Void {
        { text in
            log.error("operators_paged", "page" ~ text)
            do throws(SendingFailure) {
                try await slack?.page(text, by: Deadline(after: .seconds(10)))
            } catch {
                log.error("operators_not_paged", "reason" ~ error.reason)
            }
        }
    }

    private static func figures(_ metrics: Metrics) -> OperatorFigures {
        var figures = OperatorFigures()
        figures.dispatches = metrics.total("hearth_alert_dispatches_total")
        figures.failedDispatches =
            figures.dispatches - metrics.total("hearth_alert_dispatches_total") { $0[1] == "accepted" }
        figures.requests = metrics.total("hearth_http_requests_total")
        figures.failedRequests = metrics.total("hearth_http_requests_total") { $0[1].hasPrefix("5") }
        (figures.turns, figures.slowTurns) = metrics.count("hearth_turn_seconds", over: .seconds(5))
        return figures
    }
}
