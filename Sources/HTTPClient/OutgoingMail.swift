/// A mail to one recipient.
package struct OutgoingMail: Sendable {
    /// The envelope's sender.
    package let from: String
    /// The envelope's recipient.
    package let to: String
    /// Header and body; lines end with CR LF.
    package let content: [UInt8]

    /// Makes a mail; the envelope's addresses have no angle brackets.
    package init(from: String, to: String, content: [UInt8]) {
        self.from = from
        self.to = to
        self.content = content
    }
}

/// The address of a mail server and its login.
package struct MailServer: Sendable {
    /// `smtp://host:587` for STARTTLS or `smtps://host:465` for TLS from the start; TLS is required.
    package let url: String
    /// The login name; nil when the server needs none.
    package let user: String?
    /// The login password.
    package let password: String?
    /// A PEM file of certificates that are trusted besides the system's.
    package var extraCertificates: String?

    package init(url: String, user: String? = nil, password: String? = nil, extraCertificates: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
        self.extraCertificates = extraCertificates
    }
}

/// Reasons why a mail was not accepted.
package enum MailFailure: Error, Equatable {
    /// The server refused with a code (RFC 5321, section 4.2): 4xx is temporary, 5xx permanent.
    case refused(code: Int)
    /// The server rejected the login.
    case notLoggedIn
    /// No TLS connection could be negotiated; nothing was sent in the clear.
    case insecure(reason: String)
    /// The server is unreachable; nothing was sent.
    case unreachable(reason: String)
    /// The deadline passed; says whether the server may have accepted the mail.
    case timedOut(mayHaveArrived: Bool)
    /// The connection was lost; says whether the server may have accepted the mail.
    case lost(reason: String, mayHaveArrived: Bool)
    /// The queue of waiting mails is full.
    case full(waiting: Int)
    /// The caller was cancelled.
    case cancelled
}
