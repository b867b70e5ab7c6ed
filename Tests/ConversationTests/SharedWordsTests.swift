import Testing

@testable import Conversation
@testable import Domain

/// Replies of a small model that are about what was said, and others.
@Suite struct SharedWordsTests {
    @Test(arguments: [
        ("I used to dance every Saturday night.", "Dancing is a joy. What's your favorite dance?"),
        ("The cat knocked my vase over.", "Cats do as they like."), ("The sun is out.", "How good, the sun!"),
        ("Good morning.", "I'm glad to hear you."), ("I baked bread.", "What kind of bread is it?"),
    ])
    func `a reply takes up a word of the message, in any of its endings`(said: String, reply: String) {
        #expect(SharedWords(said).overlap(with: reply))
    }

    @Test(arguments: [
        ("The cat knocked my vase over.", "What's your favorite thing to do?"),
        ("My grandson called me from college.", "Ladies and gentlemen, I'm so glad you are here!"),
        ("How far away is the moon?", "I'm so sorry about your sister."),
    ])
    func `a reply about nothing that was said takes up none`(said: String, reply: String) {
        #expect(!SharedWords(said).overlap(with: reply))
    }

    @Test(arguments: [
        ("Thank you, Milo.", "Thank you, Milo. I'm glad to hear from you.", false),
        ("Thank you, Milo.", "You're welcome.", true), ("Thank you, Milo.", "Thank you!", true),
        ("I baked some bread.", "I baked bread.", false), ("Good morning.", "Good morning!", true),
    ])
    func `a reply that only says the message back answers nothing`(said: String, reply: String, isAbout: Bool) {
        #expect(SharedWords(said).overlap(with: reply) == isAbout)
    }
}
