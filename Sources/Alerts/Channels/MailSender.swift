package import Conversation
import Foundation
package import HTTPClient
package import Runtime

/// Sends mail through an SMTP server.
///
/// A mail's `Message-ID` is derived from its dispatch, so that mail systems recognise a repeated message.
package struct MailSender: AlertSender {
    package let channel = AlertChannel.email
    private let client: MailClient
    private let from: String
    private let time: any TimeSource

    /// Creates the sender.
    ///
    /// - Parameter from: Sender address of the mail.
    package init(_ client: MailClient, from: String, time: any TimeSource = SystemTime()) {
        self.client = client
        self.from = from
        self.time = time
    }

    package func send(_ notice: AlertNotice, by deadline: Deadline) async throws(SendingFailure) -> SentNotice {
        guard let address = notice.contact?.email else { throw .badAddress(reason: "no mail address") }
        guard let message = MailMessage(notice, from: from, to: address, at: time.date) else {
            throw .badAddress(reason: "the mail address is none")
        }
        do throws(MailFailure) {
            try await client.send(OutgoingMail(from: from, to: address, content: message.bytes), by: deadline)
            return SentNotice(providerID: message.id)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ failure: MailFailure) -> SendingFailure {
        switch failure {
        case .refused(let code) where (550...553).contains(code): .badAddress(reason: "SMTP \(code)")
        case .refused(let code) where code >= 500: .refused(reason: "SMTP \(code)")
        case .cancelled: .cancelled
        case .timedOut(let mayHaveArrived), .lost(_, let mayHaveArrived):
            mayHaveArrived
                ? .unknown(reason: "\(failure)") : .unavailable(reason: "\(failure)", retryAfter: nil)
        default: .unavailable(reason: "\(failure)", retryAfter: nil)
        }
    }
}
