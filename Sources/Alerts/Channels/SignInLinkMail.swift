import Cryptography
import Foundation
package import HTTPClient
package import Runtime

/// Mails users the one-time links by which they sign in.
package struct SignInLinkMail: Sendable {
    private let client: MailClient
    private let from: String
    private let address: String
    private let time: any TimeSource

    /// Creates the sender.
    ///
    /// - Parameter address: The address that links open, such as an app's own; the token is added as its fragment.
    package init(_ client: MailClient, from: String, address: String, time: any TimeSource = SystemTime()) {
        self.client = client
        self.from = from
        self.address = address
        self.time = time
    }

    /// Sends a link; returns true if the mail server has taken it.
    package func send(_ token: String, to email: String, by deadline: Deadline) async -> Bool {
        // A fragment is sent to no server, so that no log of the address holds the token.
        let text = """
            Open this link to sign in. It is good once, for 15 minutes.

            \(address)#token=\(token)

            If you did not ask for it, leave this mail alone.

            """
        let id = Digest.sha256(token).hex.prefix(32)
        let message = MailMessage(
            id: String(id),
            subject: "Your link to sign in",
            text: text,
            from: from,
            to: email,
            at: time.date
        )
        guard let message else { return false }
        do throws(MailFailure) {
            try await client.send(OutgoingMail(from: from, to: email, content: message.bytes), by: deadline)
            return true
        } catch {
            return false
        }
    }
}
