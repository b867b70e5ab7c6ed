import Alerts
import Conversation
import Cryptography
import Foundation
import HTTPClient
import PostgresStore
import Runtime

/// What tells people of alerts: the channels that settings name, and what drains the outbox.
struct AlertParts: Sendable {
    /// Drains the outbox.
    let dispatcher: AlertDispatcher
    /// What must run for the alerts, in the order in which it starts.
    let services: [any Service]
    private let channels: [AlertChannel]

    /// Makes the parts.
    static func make(
        _ settings: Settings,
        port: Int,
        records: PostgresRecords,
        client: HTTPClient,
        log: Log,
        metrics: Metrics
    ) throws(CommandFailure) -> AlertParts {
        let figures = AlertFigures(in: metrics)
        let mail = settings.text(.smtpURL).map { url in
            MailClient(MailServer(url: url, user: settings.text(.smtpUser), password: settings.text(.smtpPassword)))
        }
        let senders = try senders(settings, over: Provider(client), mail)
        let base = settings.text(.publicURL) ?? "http://\(settings[.host].text):\(port)"
        let links = AlertLinks(key: try secret(settings), base: base.hasSuffix("/") ? String(base.dropLast()) : base)
        let delivery = AlertDelivery(senders, links: links, figures: figures, log: log)
        let dispatcher = AlertDispatcher(records, delivery, figures: figures, log: log)
        let optional: [(any Service)?] = [mail, dispatcher]
        return AlertParts(
            dispatcher: dispatcher,
            services: optional.compactMap { $0 },
            channels: senders.map(\.channel)
        )
    }

    /// Hears the announcements of alerts.
    var heard: PostgresListener.Handler {
        { [dispatcher] _ in dispatcher.wake() }
    }

    /// Whether contacts can be told.
    var readiness: ReadinessPart {
        let reach = channels.filter { [.push, .sms, .email].contains($0) }
        guard !reach.isEmpty else {
            let detail =
                "No channel to contacts is set, so alerts wait in the operators' queue; set fcm-account, twilio-sid or smtp-url."
            return ReadinessPart("alerts", .degraded, detail: detail)
        }
        return ReadinessPart("alerts", detail: channels.map(\.rawValue).joined(separator: ", "))
    }

    private static func senders(
        _ settings: Settings,
        over provider: Provider,
        _ mail: MailClient?
    ) throws(CommandFailure) -> [any AlertSender] {
        var senders: [any AlertSender] = []
        if let path = settings.text(.fcmAccount) {
            guard let file = FileManager.default.contents(atPath: path),
                let account = ServiceAccount(json: [UInt8](file))
            else { throw CommandFailure("fcm-account: \(path) is no key file of a service account.", .usage) }
            senders.append(PushSender(account, provider, base: settings[.fcmURL].text))
        }
        if let account = twilio(settings) {
            senders.append(TextSender(account, provider, base: settings[.twilioURL].text))
        }
        if let mail, let from = settings.text(.mailFrom) { senders.append(MailSender(mail, from: from)) }
        if let url = settings.text(.slackURL) { senders.append(SlackSender(url: url, provider)) }
        if let url = settings.text(.alertWebhookURL), let secret = settings.text(.alertWebhookSecret) {
            senders.append(WebhookSender(url: url, secret: secret, provider))
        }
        return senders
    }

    private static func twilio(_ settings: Settings) -> TwilioAccount? {
        guard let sid = settings.text(.twilioSID), let token = settings.text(.twilioToken),
            let sender = settings.text(.twilioSender)
        else { return nil }
        return TwilioAccount(sid: sid, token: token, sender: sender)
    }

    /// The key of the links: the one that is set, or one that is made once and kept in the data folder.
    private static func secret(_ settings: Settings) throws(CommandFailure) -> [UInt8] {
        if let text = settings.text(.alertSecret) {
            guard text.utf8.count >= 32 else { throw CommandFailure("alert-secret must have 32 characters.", .usage) }
            return Digest.sha256(text).bytes
        }
        let path = settings.folder(.dataFolder) + "/alert-secret"
        if let kept = FileManager.default.contents(atPath: path), kept.count >= 32 { return Digest.sha256(kept).bytes }
        let made = Data(RandomToken.text().utf8)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: made, attributes: attributes) else {
            throw CommandFailure("The data folder \(settings.folder(.dataFolder)) cannot be written.")
        }
        return Digest.sha256(made).bytes
    }
}
