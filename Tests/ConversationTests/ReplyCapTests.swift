import Conversation
import Domain
import Runtime
import Testing

/// Cuts of a reply, and the end that a listener hears.
@Suite struct ReplyCapTests {
    @Test(arguments: [
        ("Good morning, Rose.", "Good morning, Rose."),
        ("Good morning, Rose", "Good morning, Rose."),
        ("How did you sleep?", "How did you sleep?"),
        ("  That sounds lovely!  ", "That sounds lovely!"),
        ("I am here,", "I am here."),
        ("He said \"hello.\"", "He said \"hello.\""),
        ("Wait for me...", "Wait for me..."), ("It is so nice to talk, but", "It is so nice to talk."),
        ("Well and", ""), ("The", ""), ("I baked bread and the", "I baked bread."),
        ("That is what I am looking for", "That is what I am looking for."), ("I think so", "I think so."),
        ("Estaba en el jardín y", "Estaba en el jardín."), ("And then she said and.", "And then she said and."),
    ])
    func `a text within the cap is kept and closed`(text: String, reply: String) {
        #expect(ReplyCap(words: 20).applied(to: text) == reply)
    }

    @Test func `the cut is after the last sentence that fits`() {
        let text = "It is good to hear you. The garden sounds lovely today. Tell me what you planted there."
        #expect(ReplyCap(words: 12).applied(to: text) == "It is good to hear you. The garden sounds lovely today.")
    }

    @Test(arguments: [
        (
            "I remember your garden by the sea, where the roses grew beside the old wall all summer",
            9, "I remember your garden by the sea."
        ),
        (
            "You could sit in the garden and listen to the birds for a while this morning",
            8, "You could sit in the garden."
        ),
        ("One two three four five six seven eight nine ten", 5, ""),
        (
            "One two three four five six seven eight nine ten eleven twelve", 11,
            "One two three four five six seven eight nine ten eleven."
        ),
        ("I am glad to hear from you today", 5, "I am glad."), ("I am glad to hear from you today", 1, ""),
        ("It is good to hear you today", 3, "It is good."), ("You look like a queen today", 3, ""),
        ("Would you like to sit by the window", 5, ""),
        ("We can talk about the garden you loved so much back then", 5, "We can talk."),
        ("Would you like to sit by the window and tell me all about it", 8, "Would you like to sit by the window?"),
    ])
    func `a sentence that is too long is cut at a clause and never ends on a word that promises more`(
        text: String,
        words: Int,
        reply: String
    ) {
        #expect(ReplyCap(words: words).applied(to: text) == reply)
    }

    @Test(arguments: ["", "   ", "...", "— ?!", "🙂"])
    func `a text without words gives no reply`(text: String) {
        #expect(ReplyCap(words: 20).applied(to: text) == "")
    }

    @Test(arguments: [(-3, 1), (0, 1), (1, 1), (20, 20), (21, 20), (900, 20)])
    func `a cap is between one word and twenty`(asked: Int, given: Int) {
        #expect(ReplyCap(words: asked).words == given)
    }

    @Test func `whatever is said, the reply is within its cap and closed`() {
        var generator = SeededGenerator(seed: 7)
        let words = [
            "the", "and", "garden,", "Rose.", "to", "is it?", "—", "don't", "$20", "8:30", "a.m.", "(yes)", "…",
            "well-known",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...60, using: &generator))
                .compactMap { _ in words.randomElement(using: &generator) }
                .joined(separator: " ")
            let cap = Int.random(in: 1...20, using: &generator)
            let reply = ReplyCap(words: cap).applied(to: text)
            #expect(WordCount.of(reply) <= cap, "\(text)")
            #expect(reply.isEmpty || ".!?…\"')".contains(reply.last ?? " "), "\(reply)")
        }
    }
}
