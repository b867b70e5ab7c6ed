package import Foundation
package import Runtime

/// Whom an alert that was just raised has reached.
package struct AlertReach: Sendable, Equatable {
    /// Which alert.
    package let alert: AlertID
    /// Contacts of whom a provider has taken a message.
    package let told: [String]
    /// Contacts whose message is still on its way to a provider.
    package let pending: [String]
    /// Whether the operators were told, or find the alert in their queue.
    package let isWithOperators: Bool
    /// Whether the same key raised it before.
    package let isReplay: Bool
    /// Whether the alert is durable: in the record, or on a disk until the record takes it.
    package let isDurable: Bool

    /// Makes a reach.
    package init(
        alert: AlertID,
        told: [String],
        pending: [String],
        isWithOperators: Bool,
        isReplay: Bool,
        isDurable: Bool = true
    ) {
        self.alert = alert
        self.told = told
        self.pending = pending
        self.isWithOperators = isWithOperators
        self.isReplay = isReplay
        self.isDurable = isDurable
    }
}

/// What following a link comes to.
package enum LinkAnswer: Sendable, Equatable {
    /// The link was not made by the service, or its alert or contact is gone.
    case refused
    /// The link's time has passed.
    case expired
    /// The alert, for the person who followed the link.
    case open(summary: String)
    /// What was said is taken.
    case taken
    /// Somebody had taken the alert on before.
    case already(since: Date)
}

/// What a person or a device says by a link.
package enum LinkWord: Sendable, Equatable {
    /// The message has arrived.
    case delivered
    /// The message was opened.
    case seen
    /// The person takes the alert on, with a note for the next one; or says that it is over.
    case acknowledged(note: String, resolves: Bool)
}

/// A callback of the provider of text messages.
package struct TextCallback: Sendable, Equatable {
    /// The path that was called, as it stands in the URL.
    package let path: String
    /// The form's fields, in order.
    package let fields: [Field]
    /// The provider's signature; empty when there was none.
    package let signature: String
    /// From which address.
    package let peer: String

    /// One field of a form.
    package struct Field: Sendable, Equatable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: String

        /// Makes a field.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a callback.
    package init(path: String, fields: [Field], signature: String, peer: String) {
        self.path = path
        self.fields = fields
        self.signature = signature
        self.peer = peer
    }

    /// The value of a field; empty when it is not there.
    package subscript(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
}

/// What a callback comes to.
package enum CallbackAnswer: Sendable, Equatable {
    /// It was taken; what to say to the sender of a text message, if one asks for an answer.
    case taken(reply: String)
    /// It was not signed by the provider, or is about nothing that we sent.
    case refused
    /// It was taken before.
    case replayed
    /// No provider of text messages is set.
    case notConfigured
}

/// What callers ask of alerts, and where those who were told answer.
package protocol AlertDesk: Sendable {
    /// Makes an alert durable, in the record or else on this machine's disk, tells whoever is to be told first, and waits for the providers until the deadline.
    ///
    /// What is not done by then goes on without the caller.
    func raise(_ raised: RaisedAlert, by deadline: Deadline) async throws(RecordsError) -> AlertReach

    /// The alert that a link leads to.
    func look(_ token: String, from peer: String, by deadline: Deadline) async throws(RecordsError) -> LinkAnswer

    /// Takes what is said by a link.
    func take(
        _ word: LinkWord,
        by token: String,
        from peer: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> LinkAnswer

    /// Takes what became of a text message.
    func takeStatus(
        _ callback: TextCallback,
        token: String,
        by deadline: Deadline
    ) async throws(RecordsError) -> CallbackAnswer

    /// Takes a text message that somebody sent to us.
    func takeText(_ callback: TextCallback, by deadline: Deadline) async throws(RecordsError) -> CallbackAnswer
}
