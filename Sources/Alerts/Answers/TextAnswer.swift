/// The meaning of a text message that answers an alert.
enum TextAnswer: Equatable {
    /// Acknowledges the alert.
    case acknowledge
    /// Resolves the alert.
    case resolve
    /// Opts out of further messages.
    case stop
    /// Anything else; the sender receives a list of valid answers.
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
