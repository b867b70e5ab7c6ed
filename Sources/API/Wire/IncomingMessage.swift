import Conversation
import Cryptography
import Foundation
import Runtime

/// A message as any dialect brings it, before it is admitted as a turn.
struct IncomingMessage {
    /// Where the dialect puts the parts, for whoever is told of a fault.
    struct Paths {
        var text: String
        var timestamp = "timestamp"
    }

    /// What the caller calls a message, for exactly-once treatment.
    ///
    /// An `Idempotency-Key` goes before a `message_id`, and what has neither goes by its body for a minute. The message takes the body's identity only when that is its key too,
    /// so that no two keys ever claim one identity. One that has a header's key alone takes the identity that the key
    /// determines, so that every attempt at it is the same message, also while the record cannot be asked which that is.
    struct Name {
        var header: String?
        var body: MessageID?
        /// The key that a body without either has for a minute.
        var ofBody: String?

        var key: String? { header ?? body?.description ?? ofBody }

        func id(for tenant: TenantID, _ patient: PatientID) -> MessageID {
            if header == nil, let body { return body }
            guard let key = header ?? ofBody else { return MessageID() }
            return MessageID(UUID(naming: "message \(tenant) \(patient) \(key)"))
        }
    }

    var patient: PatientID
    var text: String
    /// The timestamp as it was sent; nil when the message is said now.
    var timestamp: String?
    var context = Turn.Context()
    /// The caller's names for the message.
    var name = Name()
    var wordCap: Int?
    var tone: String?
    var bundle: String?
    var paths: Paths

    /// The turn that the message is, if it is within its bounds.
    ///
    /// - Parameters:
    ///   - isAwaited: Whether somebody waits to hear the reply.
    ///   - sentences: Where the reply is given out while it is made.
    ///   - ledger: The turn's own, begun when its budget begins.
    func turn(
        for tenant: TenantID,
        under key: ServiceKeyID?,
        receivedAt: Date,
        isAwaited: Bool = true,
        sentences: SentenceStream? = nil,
        ledger: Trace,
        _ limits: APILimits
    ) throws(Refusal) -> Turn {
        let words = Transcript(text).text
        let characters = words.unicodeScalars.count
        guard characters <= APILimits.messageCharacters else {
            throw .messageTooLong(path: paths.text, characters: characters, limit: APILimits.messageCharacters)
        }
        guard !Blank.isBlank(text) else {
            throw .invalid(.outOfRule(path: paths.text, demand: TextRule.notBlank.demand))
        }
        return Turn(
            id: name.id(for: tenant, patient),
            tenant: tenant,
            key: key,
            patient: patient,
            text: words,
            spokenAt: try spokenAt(receivedAt: receivedAt, limits),
            receivedAt: receivedAt,
            context: context,
            idempotencyKey: name.key,
            fingerprint: fingerprint,
            wordCap: wordCap ?? Turn.maximumWords,
            tone: tone,
            bundle: bundle,
            isAwaited: isAwaited,
            sentences: sentences,
            trace: ledger
        )
    }

    private func spokenAt(receivedAt: Date, _ limits: APILimits) throws(Refusal) -> Date {
        guard let timestamp, let date = RFC3339.date(timestamp) else { return receivedAt }
        let lateBy = receivedAt.timeIntervalSince(date)
        guard lateBy >= -limits.clockSkew.seconds else {
            throw .inTheFuture(path: paths.timestamp, allowed: limits.clockSkew)
        }
        guard lateBy <= limits.messageAge.seconds else {
            throw .tooOld(path: paths.timestamp, allowed: limits.messageAge)
        }
        return date
    }

    /// SHA-256 over everything that makes it this message, in one canonical form for every route: what a client adds
    /// besides (a retry count, a sampling temperature) does not make it another.
    var fingerprint: String {
        let meaning: JSONValue = [
            "patient": .string(patient.description),
            "text": .string(text),
            "timestamp": .optional(timestamp),
            "triggered_by": .string(context.triggeredBy),
            "app_state": .string(context.appState),
            "reminder": .optional(context.reminder?.description),
            "words": wordCap.map { .integer($0) } ?? .null,
            "tone": .optional(tone),
            "bundle": .optional(bundle),
        ]
        return Digest.sha256(meaning.canonical.text).hex
    }
}
