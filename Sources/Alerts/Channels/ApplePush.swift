import Domain
import Foundation
import Runtime

/// A push as Apple reads it: header fields and a body.
struct ApplePush: Sendable {
    /// What a push does.
    enum Kind: String, Sendable {
        /// It shows words.
        case alert
        /// It wakes the app in silence; Apple wants it at low priority.
        case background
    }

    private struct Notice: Encodable {
        struct Words: Encodable {
            let title: String
            let body: String
        }
        let alert: Words?
        let sound: String?
        let contentAvailable = 1
        let interruptionLevel: String?

        enum CodingKeys: String, CodingKey {
            case alert, sound
            case contentAvailable = "content-available"
            case interruptionLevel = "interruption-level"
        }
    }

    private struct Payload: Encodable {
        let notice: Notice
        let data: [String: String]

        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Name.self)
            for (name, value) in data where name != "aps" { try fields.encode(value, forKey: Name(stringValue: name)) }
            try fields.encode(notice, forKey: Name(stringValue: "aps"))
        }
    }

    /// The longest body in characters; lock screens cut longer text.
    private static let bodyCharacters = 240
    /// The time for which an alert is kept for a telephone that is off.
    private static let alertLifetime = Duration.seconds(3600)

    /// What it does.
    let kind: Kind
    /// The name under which a repeated push is shown once.
    let key: String
    /// The body.
    let body: [UInt8]
    private let timeToLive: Duration

    /// A push to a patient's own telephone.
    init(_ push: DevicePush) {
        let words = push.shown.map { Notice.Words(title: $0.title, body: String($0.body.prefix(Self.bodyCharacters))) }
        self.init(words, push.data, key: push.key, keptFor: push.timeToLive, level: nil)
    }

    /// An alert to a contact's telephone.
    init(_ notice: AlertNotice) {
        let words = Notice.Words(title: notice.title, body: String(notice.body.prefix(Self.bodyCharacters)))
        let level = notice.level >= .high ? "time-sensitive" : "active"
        self.init(
            words,
            PushMessage.data(of: notice),
            key: notice.dispatch.description,
            keptFor: Self.alertLifetime,
            level: level
        )
    }

    private init(
        _ words: Notice.Words?,
        _ data: [String: String],
        key: String,
        keptFor timeToLive: Duration,
        level: String?
    ) {
        kind = words == nil ? .background : .alert
        self.key = key
        self.timeToLive = timeToLive
        let sound = words.map { _ in "default" }
        let notice = Notice(alert: words, sound: sound, interruptionLevel: level)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        body = (try? encoder.encode(Payload(notice: notice, data: data))).map { [UInt8]($0) } ?? []
    }

    /// Until when Apple keeps it for a telephone that is off, in seconds since 1970; 0 tries once.
    func expiration(at date: Date) -> Int {
        timeToLive > .zero ? Int(date.timeIntervalSince1970 + timeToLive.seconds) : 0
    }
}
