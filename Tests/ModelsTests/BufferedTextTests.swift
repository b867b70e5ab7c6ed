import Runtime
import Testing

@testable import Models

/// Wake-ups of the turn that reads a stream's text.
struct BufferedTextTests {
    private let start = Instant.now

    @Test func `the first text is given at once and what follows waits for the end of its sentence`() {
        var text = BufferedText()
        #expect(!text.isDue(at: start))
        text.append("Good")
        #expect(text.isDue(at: start))
        #expect(text.take(at: start) == "Good")
        for piece in [" morning", ", Rose", "."] {
            text.append(piece)
            #expect(!text.isDue(at: start))
        }
        text.append(" It")
        #expect(text.isDue(at: start))
        #expect(text.take(at: start) == " morning, Rose. It")
        text.append(" is lovely")
        #expect(!text.isDue(at: start))
    }

    @Test(arguments: [" Well.”", " Well…", " Well!", " Is it?"])
    func `a sentence is over when something follows its mark, in whatever piece`(end: String) {
        var text = given()
        text.append(end)
        _ = text.take(at: start)
        text.append(" Then")
        #expect(text.isDue(at: start))
    }

    @Test(arguments: ["\n", "\r\n", "none none\n", "first line\nsecond"])
    func `a line that ends is given at once`(piece: String) {
        var text = given()
        text.append(piece)
        #expect(text.isDue(at: start))
    }

    @Test func `text that is long or has waited is given whether or not a sentence is over`() {
        var long = given()
        long.append(String(repeating: "and ", count: BufferedText.longest / 4))
        #expect(long.isDue(at: start))
        var late = given()
        late.append(" and")
        #expect(!late.isDue(at: start + (BufferedText.patience - .nanoseconds(1))))
        #expect(late.isDue(at: start + BufferedText.patience))
    }

    /// A text whose first words have been given on.
    private func given() -> BufferedText {
        var text = BufferedText()
        text.append("So")
        _ = text.take(at: start)
        return text
    }
}
