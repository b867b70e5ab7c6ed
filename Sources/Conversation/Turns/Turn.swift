package import Foundation
package import Runtime

/// One message of a patient, as it was admitted: well-formed and within its limits.
package struct Turn: Sendable {
    /// What made the patient's device send it.
    package struct Context: Sendable, Equatable, Codable {
        /// Such as "manual", "reminder", "wake_word"; empty when not said.
        package let triggeredBy: String
        /// Such as "active", "background"; empty when not said.
        package let appState: String
        /// The reminder that it answers.
        package let reminder: ReminderID?

        /// Makes a context.
        package init(triggeredBy: String = "", appState: String = "", reminder: ReminderID? = nil) {
            self.triggeredBy = triggeredBy
            self.appState = appState
            self.reminder = reminder
        }
    }

    /// Which message.
    package let id: MessageID
    /// The tenant that asks; a patient of another tenant is unknown to it.
    package let tenant: TenantID
    /// The service key under which it was sent; nil when it was sent under none.
    package let key: ServiceKeyID?
    /// Who speaks.
    package let patient: PatientID
    /// What was said, cleaned of control characters; 1 to 4,000 characters.
    package let text: String
    /// When it was said.
    package let spokenAt: Date
    /// When it reached the service.
    package let receivedAt: Date
    /// What made the device send it.
    package let context: Context
    /// The caller's key for exactly-once treatment.
    package let idempotencyKey: String
    /// A digest of the body, to tell a repeat from another message under the same key.
    package let fingerprint: String
    /// The reply's cap in words, 1 to 20.
    package let wordCap: Int
    /// How the caller wants the reply to sound; nil leaves it to the patient's record.
    package let tone: String?
    /// The prompt bundle that the caller asks for; nil leaves it to the service.
    package let bundle: String?
    /// Whether somebody waits to hear the reply.
    ///
    /// A message that waited on a device is screened and kept like any other, and needs no model to thank for it.
    package let isAwaited: Bool
    /// Where the reply's sentences are given out while it is made; nil when the caller waits for all of it.
    package let sentences: SentenceStream?
    /// The turn's ledger, begun when the request arrived.
    package let trace: Trace

    /// The most words that any reply has.
    package static let maximumWords = 20

    /// Makes a turn.
    package init(
        id: MessageID = MessageID(),
        tenant: TenantID,
        key: ServiceKeyID? = nil,
        patient: PatientID,
        text: String,
        spokenAt: Date,
        receivedAt: Date,
        context: Context = Context(),
        idempotencyKey: String? = nil,
        fingerprint: String = "",
        wordCap: Int = Turn.maximumWords,
        tone: String? = nil,
        bundle: String? = nil,
        isAwaited: Bool = true,
        sentences: SentenceStream? = nil,
        trace: Trace = Trace()
    ) {
        self.id = id
        self.tenant = tenant
        self.key = key
        self.patient = patient
        self.text = text
        self.spokenAt = spokenAt
        self.receivedAt = receivedAt
        self.context = context
        self.idempotencyKey = idempotencyKey ?? id.description
        self.fingerprint = fingerprint
        self.wordCap = min(max(1, wordCap), Turn.maximumWords)
        self.tone = tone
        self.bundle = bundle
        self.isAwaited = isAwaited
        self.sentences = sentences
        self.trace = trace
    }

    /// How late the message is: from when it was said until it reached the service.
    package var lateBy: TimeInterval { max(0, receivedAt.timeIntervalSince(spokenAt)) }
}
