import Alerts
import Conversation
import Foundation
import HTTPClient
import Runtime

/// The alert channels that the settings configure.
struct AlertChannels: Sendable {
    /// One sender per configured channel.
    let senders: [any AlertSender]
    /// Sends mail; nil if no mail server is configured.
    let mail: MailClient?
    /// Sends text messages; nil if no account is configured.
    let twilio: TwilioAccount?
    /// Posts to the operators' Slack channel; nil if none is configured.
    let slack: SlackSender?

    /// Creates the senders from the settings.
    static func make(_ settings: Settings, client: HTTPClient) throws(CommandFailure) -> AlertChannels {
        let provider = Provider(client)
        let mail = settings.text(.smtpURL).map { url in
            MailClient(MailServer(url: url, user: settings.text(.smtpUser), password: settings.text(.smtpPassword)))
        }
        let twilio = account(settings)
        let slack = settings.text(.slackURL).map { SlackSender(url: $0, provider) }
        var senders: [any AlertSender] = []
        if let push = try push(settings, provider) { senders.append(push) }
        if let twilio { senders.append(TextSender(twilio, provider, base: settings[.twilioURL].text)) }
        if let mail, let from = settings.text(.mailFrom) { senders.append(MailSender(mail, from: from)) }
        if let slack { senders.append(slack) }
        if let url = settings.text(.alertWebhookURL), let secret = settings.text(.alertWebhookSecret) {
            senders.append(WebhookSender(url: url, secret: secret, provider))
        }
        return AlertChannels(senders: senders, mail: mail, twilio: twilio, slack: slack)
    }

    /// The state of the channels to contacts: degraded when none is configured.
    var readiness: ReadinessPart {
        let channels = senders.map(\.channel)
        let reach: Set<AlertChannel> = [.push, .sms, .email]
        guard !reach.isDisjoint(with: channels) else {
            let detail =
                "No channel to contacts is set: alerts wait in the operators' queue. Set fcm-account, twilio-sid or smtp-url."
            return ReadinessPart("alerts", .degraded, detail: detail)
        }
        return ReadinessPart("alerts", detail: channels.map(\.rawValue).joined(separator: ", "))
    }

    private static func push(_ settings: Settings, _ provider: Provider) throws(CommandFailure) -> PushSender? {
        guard let path = settings.text(.fcmAccount) else { return nil }
        guard let file = FileManager.default.contents(atPath: path), let account = ServiceAccount(json: [UInt8](file))
        else { throw CommandFailure("fcm-account: \(path) is no key file of a service account.", .usage) }
        return PushSender(account, provider, base: settings[.fcmURL].text)
    }

    private static func account(_ settings: Settings) -> TwilioAccount? {
        guard let sid = settings.text(.twilioSID), let token = settings.text(.twilioToken),
            let sender = settings.text(.twilioSender)
        else { return nil }
        return TwilioAccount(sid: sid, token: token, sender: sender)
    }
}
