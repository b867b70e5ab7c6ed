import Runtime

/// The text of a stream that has arrived and was not given on.
///
/// A reply is screened sentence by sentence, so that a task which is woken for each token is woken in vain. The first
/// text is given at once, since a model that speaks is listened to; what follows when a sentence is over, when it
/// is long, or when some time has passed, so that whoever watches the stream's pace sees it.
struct GatheredText {
    /// The longest that text waits while more arrives.
    static let patience = Duration.milliseconds(100)
    /// The most bytes that wait: about as many words as a reply has.
    static let longest = 96

    private(set) var text = ""
    private var givenAt: Instant?
    private var isSentenceOver = false
    /// Whether what arrived last may have ended a sentence, perhaps with closing quotes: what follows will tell.
    private var isAfterMark = false

    /// Adds what has arrived.
    mutating func append(_ piece: String) {
        text += piece
        for byte in piece.utf8 {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), Self.lastOfEllipsis: isAfterMark = true
            case 0x0A...0x0D: isSentenceOver = true
            case UInt8(ascii: " "):
                if isAfterMark { isSentenceOver = true }
                isAfterMark = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                isAfterMark = false
            default: break
            }
        }
    }

    /// Whether the text is to be given on now.
    func isDue(at now: Instant) -> Bool {
        guard !text.isEmpty else { return false }
        guard let givenAt else { return true }
        return isSentenceOver || text.utf8.count >= Self.longest || now.since(givenAt) >= Self.patience
    }

    /// Gives the text on.
    mutating func take(at now: Instant) -> String {
        defer {
            text = ""
            isSentenceOver = false
            givenAt = now
        }
        return text
    }

    /// The last byte of "…"; where it belongs to another character, text is given on a little early.
    private static let lastOfEllipsis: UInt8 = 0xA6
}
