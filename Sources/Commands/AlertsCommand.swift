import Alerts
import Conversation
import Foundation
import HTTPClient
import PostgresStore
import Runtime

/// `hearth alerts`: lists alerts, shows an alert's history, acknowledges an alert, and tests a contact's channels.
enum AlertsCommand: Command {
    static let name = "alerts"
    static let summary = "List alerts, show one's history, take one on, or send a contact a test."
    static let words = "list | show ALERT | ack ALERT [NOTE] | test CONTACT"
    static let options = [
        (name: "tenant", summary: "Whose alerts; the demonstration tenant unless given."),
        (name: "patient", summary: "Whose contact is tested; the demonstration patient unless given."),
    ]
    static let flags = [
        (name: "all", summary: "List those that are closed as well."),
        (name: "json", summary: "Print JSON, an object a line."),
    ]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        guard let action = AlertAction(arguments.words) else { throw CommandFailure("hearth alerts \(words)", .usage) }
        let tenant = try tenant(arguments)
        let patient = try Caller.patient(arguments)
        let asJSON = arguments.flags.contains("json")
        let onlyOpen = !arguments.flags.contains("all")
        let log = Log(to: StandardErrorSink(), minimum: .warning)
        let database = try EmbeddedDatabase(settings, log: log)
        return try await database.whileRunning { address async throws(CommandFailure) in
            if case .test(let contact) = action {
                return try await AlertTest(contact: contact, patient: patient, tenant: tenant).run(
                    settings,
                    address,
                    log
                )
            }
            return try await RecordSession.with(address) { records async throws(RecordsError) in
                try await action.perform(on: records, tenant: tenant, onlyOpen: onlyOpen, asJSON: asJSON)
            }
        }
    }

    private static func tenant(_ arguments: Arguments) throws(CommandFailure) -> TenantID {
        guard let text = arguments.options["tenant"] else { return DemoHousehold.tenant }
        guard let tenant = TenantID(text) else { throw CommandFailure("--tenant must be a UUID.", .usage) }
        return tenant
    }
}

/// An action on alerts, parsed from the command line.
enum AlertAction: Sendable, Equatable {
    case list
    case show(AlertID)
    case acknowledge(AlertID, note: String)
    case test(ContactID)

    private static let time = Duration.seconds(10)
    private static let lines = 200

    init?(_ words: [String]) {
        switch (words.first, words.count) {
        case ("list", 1): self = .list
        case ("show", 2):
            guard let alert = AlertID(words[1]) else { return nil }
            self = .show(alert)
        case ("ack", 2...):
            guard let alert = AlertID(words[1]) else { return nil }
            self = .acknowledge(alert, note: words.dropFirst(2).joined(separator: " "))
        case ("test", 2):
            guard let contact = ContactID(words[1]) else { return nil }
            self = .test(contact)
        default: return nil
        }
    }

    /// Performs the action and prints its result.
    func perform(
        on records: any AlertReads & AlertAnswers,
        tenant: TenantID,
        onlyOpen: Bool,
        asJSON: Bool
    ) async throws(RecordsError) -> ExitCode {
        let deadline = Deadline(after: Self.time)
        switch self {
        case .list:
            let alerts = try await records.alerts(of: tenant, onlyOpen: onlyOpen, limit: Self.lines, by: deadline)
            for alert in alerts { Terminal.out(asJSON ? AlertLine(alert).json : AlertLine(alert).text) }
            return .success
        case .show(let id):
            guard let alert = try await records.alert(id, of: tenant, by: deadline) else { return unknown(id) }
            let history = try await records.history(of: id, patient: alert.patient, tenant: tenant, by: deadline)
            Terminal.out(asJSON ? AlertLine(alert).json : AlertLine(alert).text)
            for line in history { Terminal.out(asJSON ? line.json : line.text) }
            return .success
        case .acknowledge(let id, let note):
            guard let alert = try await records.alert(id, of: tenant, by: deadline) else { return unknown(id) }
            let by = Acknowledgement(by: nil, way: "console", note: note)
            return say(try await records.acknowledge(id, of: alert.patient, tenant: tenant, by, by: deadline), id)
        case .test: return .usage
        }
    }

    private func say(_ outcome: AcknowledgementOutcome, _ id: AlertID) -> ExitCode {
        switch outcome {
        case .taken: Terminal.error("Alert \(id) is taken on.")
        case .already(let since): Terminal.error("Somebody has taken it on since \(since.formatted(.iso8601)).")
        case .unknown: return unknown(id)
        }
        return .success
    }

    private func unknown(_ id: AlertID) -> ExitCode {
        Terminal.error("The tenant has no open alert \(id).")
        return .refused
    }
}

/// An alert as a line of output.
struct AlertLine: Sendable {
    private let alert: AlertSummaryLine

    init(_ alert: AlertSummaryLine) {
        self.alert = alert
    }

    var text: String {
        let colour = alert.level == .critical ? 31 : alert.level == .high ? 33 : 37
        let level = Terminal.coloured(alert.level.rawValue, colour)
        return
            "\(alert.id)  \(alert.raisedAt.formatted(.iso8601))  \(level)  \(alert.category.rawValue)  \(alert.state.rawValue)"
    }

    var json: String {
        let acknowledged = alert.acknowledgedAt.map { "\"\($0.formatted(.iso8601))\"" } ?? "null"
        return "{\"id\":\"\(alert.id)\",\"patient_id\":\"\(alert.patient)\",\"level\":\"\(alert.level.rawValue)\","
            + "\"category\":\"\(alert.category.rawValue)\",\"state\":\"\(alert.state.rawValue)\","
            + "\"raised_at\":\"\(alert.raisedAt.formatted(.iso8601))\",\"acknowledged_at\":\(acknowledged)}"
    }
}

extension AlertHistoryLine {
    fileprivate var text: String {
        let facts = [dispatch, actor, note].filter { !$0.isEmpty }.joined(separator: " · ")
        return "  \(at.formatted(.iso8601))  \(state)  \(facts)"
    }

    fileprivate var json: String {
        var text = "{\"at\":\"\(at.formatted(.iso8601))\",\"state\":\"\(state)\",\"actor\":"
        text.appendJSONString(actor)
        text += ",\"dispatch\":"
        text.appendJSONString(dispatch)
        text += ",\"note\":"
        text.appendJSONString(note)
        return text + "}"
    }
}
