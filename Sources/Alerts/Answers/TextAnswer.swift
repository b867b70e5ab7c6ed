/// What a person means who answers an alert by text message.
enum TextAnswer: Equatable {
    /// Takes the alert on.
    case acknowledge
    /// Says that it is over.
    case resolve
    /// Wants no more messages.
    case stop
    /// Anything else; the person is told what can be said.
    case other

    init(_ text: String) {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        switch words.first.map(String.init) {
        case "ok", "okay", "yes", "y", "si", "sí", "1", "ack": self = .acknowledge
        case "done", "over", "resolved", "2": self = .resolve
        case "stop", "stopall", "unsubscribe", "cancel", "end", "quit": self = .stop
        default: self = .other
        }
    }
}
