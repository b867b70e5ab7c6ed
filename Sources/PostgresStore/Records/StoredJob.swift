import Conversation

/// A job as its row holds it: a kind and the message that it is about.
struct StoredJob {
    let kind: String
    let message: MessageID

    init(_ work: Job.Work) {
        switch work {
        case .embedExchange(let message): (kind, self.message) = ("embed_exchange", message)
        case .extractFacts(let message): (kind, self.message) = ("extract_facts", message)
        }
    }

    /// The kinds that this program can do; those of a newer one are left to it.
    static let kinds = ["embed_exchange", "extract_facts"]

    /// The work of a row; nil when the kind is unknown.
    static func work(kind: String, message: MessageID) -> Job.Work? {
        switch kind {
        case "embed_exchange": .embedExchange(message)
        case "extract_facts": .extractFacts(message)
        default: nil
        }
    }
}
