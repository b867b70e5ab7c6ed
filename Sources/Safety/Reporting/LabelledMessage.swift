package import Conversation

/// A message with what somebody says that it is.
package struct LabelledMessage: Sendable, Equatable, Decodable {
    /// What it is.
    package enum Truth: Sendable, Equatable {
        /// A scam or none.
        case scam(Bool)
        /// How soon a human must know.
        case alert(Level)
    }

    /// Its name in the file.
    package let id: String
    /// What was said.
    package let text: String
    /// What it is.
    package let truth: Truth
    /// What kind of message it is, as the file says: its `category` or `kind`; empty when it does not.
    package let kind: String
    /// Where it comes from; empty when the file does not say.
    package let source: String
    /// Its subject: "self", "other" or "fiction"; empty when the file does not say.
    ///
    /// A `person` of "third" is "other".
    package let subject: String
    /// When it happens, "now", "past" or "hypothetical"; empty when the file does not say.
    package let time: String

    private enum Key: String, CodingKey { case id, text, label, kind, category, source, subject, person, time }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        text = try container.decode(String.self, forKey: .text)
        let label = try container.decode(String.self, forKey: .label)
        kind =
            try container.decodeIfPresent(String.self, forKey: .kind)
            ?? container.decodeIfPresent(String.self, forKey: .category) ?? ""
        source = try container.decodeIfPresent(String.self, forKey: .source) ?? ""
        let isThird = try container.decodeIfPresent(String.self, forKey: .person) == "third"
        subject = try container.decodeIfPresent(String.self, forKey: .subject) ?? (isThird ? "other" : "")
        time = try container.decodeIfPresent(String.self, forKey: .time) ?? ""
        switch label {
        case "scam": truth = .scam(true)
        case "benign": truth = .scam(false)
        default:
            guard let level = Level(rawValue: label) else {
                let sentence = "\"\(label)\" is neither scam nor benign nor a level"
                throw DecodingError.dataCorruptedError(forKey: .label, in: container, debugDescription: sentence)
            }
            truth = .alert(level)
        }
    }
}
