/// A mail to one recipient.
package struct OutgoingMail: Sendable {
    /// The envelope's sender.
    package let from: String
    /// The envelope's recipient.
    package let to: String
    /// Header and body, lines ended by CR and LF.
    package let content: [UInt8]

    /// Makes a mail; addresses are those of the envelope, without angle brackets.
    package init(from: String, to: String, content: [UInt8]) {
        self.from = from
        self.to = to
        self.content = content
    }
}

/// The server that takes mail, and how it is reached.
package struct MailServer: Sendable {
    /// `smtp://host:587` for STARTTLS, `smtps://host:465` for TLS from the start; never without either.
    package let url: String
    /// The name to log in with; nil for a server that asks for none.
    package let user: String?
    /// Its password.
    package let password: String?
    /// A file of certificates (PEM) that are trusted besides the system's.
    package var extraCertificates: String?

    /// Describes a server.
    package init(url: String, user: String? = nil, password: String? = nil, extraCertificates: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
        self.extraCertificates = extraCertificates
    }
}

/// Why a mail was not taken.
package enum MailFailure: Error, Equatable {
    /// The server refused with a code (RFC 5321, section 4.2): 4xx for now, 5xx for good.
    case refused(code: Int)
    /// The name or the password is not taken.
    case notLoggedIn
    /// No secure connection could be agreed on; nothing was sent in the clear.
    case insecure(reason: String)
    /// The server cannot be reached; nothing was sent.
    case unreachable(reason: String)
    /// The deadline passed; whether the server may have taken the mail.
    case timedOut(mayHaveArrived: Bool)
    /// The connection was lost; whether the server may have taken the mail.
    case lost(reason: String, mayHaveArrived: Bool)
    /// As many mails as may wait, wait already.
    case full(waiting: Int)
    /// The caller was cancelled.
    case cancelled
}
