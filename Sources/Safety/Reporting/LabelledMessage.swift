package import Domain

/// A message with its label.
package struct LabelledMessage: Sendable, Equatable, Decodable {
    /// The label.
    package enum Truth: Sendable, Equatable {
        /// True for a scam.
        case scam(Bool)
        /// The level of alert.
        case alert(Level)
    }

    /// The message's name in the file.
    package let id: String
    /// The message.
    package let text: String
    /// The label.
    package let truth: Truth
    /// The message's `category` or `kind` in the file; empty when missing.
    package let kind: String
    /// The message's source; empty when missing.
    package let source: String
    /// The person concerned: "self", "other" or "fiction"; empty when missing.
    ///
    /// A `person` of "third" is read as "other".
    package let subject: String
    /// The time: "now", "past" or "hypothetical"; empty when missing.
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
