import Testing

@testable import Conversation
@testable import Domain

/// The verdict and the words of a stream do not depend on where the stream was cut.
@Suite struct VerdictReaderTests {
    @Test(
        arguments: [
            "none none\nGood morning, Rose.", "high fall\nPlease sit down.\nI am here.", "high fall.\nPlease sit down.",
            "```\nmedium nutrition\n```\nHave some soup.", "\n\nnone\nWell.", "level: high, fall\nSit down.",
            "There are none.", "I have none of it, and none is left.", "Nothing is low. High tide is at noon.",
            "None of us can know that.\nAsk Laura.", "severe trip\nSit down.",
            "Dr. Smith is high on the list.\nCall him.",
            "Good morning.\nnone none\nHow are you?", "Good\r\nmorning.\r\nnone\r\nWell.", "critical", "none", "none.",
            "", "\n",
            "Medium or well done? I like both, but not too much of it.\n```\nEnough.", "low\u{2028}Then we sing.",
        ],
        [true, false]
    )
    func `a stream that is cut anywhere is read as if it had come whole`(text: String, isExpected: Bool) {
        let whole = read([text], isExpected)
        #expect(read(text.map(String.init), isExpected) == whole)
        for cut in text.indices {
            #expect(read([String(text[..<cut]), String(text[cut...])], isExpected) == whole, "before \(text[cut...])")
            let tokens = [text[..<cut], text[cut...].prefix(3), text[cut...].dropFirst(3)].map(String.init)
            #expect(read(tokens, isExpected) == whole, "around \(text[cut...].prefix(3))")
        }
    }

    @Test func `a level's name within a sentence is spoken`() {
        #expect(read(["There are", " none", "."], false).words == ["There", "are", "none."])
        #expect(read(["There are", " none", "."], true).words == ["There", "are", "none."])
    }

    @Test func `a verdict with a full stop counts although the stop comes by itself`() {
        let read = read(["high", " fall", ".", "\n", "Sit", " down."], true)
        #expect(read.verdict == ModelVerdict(level: .high, category: .fall))
        #expect(read.words == ["Sit", "down."])
    }

    private struct Read: Equatable {
        let verdict: ModelVerdict?
        let words: [Substring]
    }

    private func read(_ pieces: [String], _ isExpected: Bool) -> Read {
        var reader = VerdictReader(isExpected: isExpected)
        var words = ""
        for piece in pieces { words += reader.append(piece) }
        words += reader.finish()
        return Read(verdict: reader.verdict, words: words.split(whereSeparator: \.isWhitespace))
    }
}
