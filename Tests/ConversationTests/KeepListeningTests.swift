import Conversation
import Domain
import Foundation
import Testing

/// Replies after which the device goes on listening.
@Suite struct KeepListeningTests {
    @Test(arguments: [
        ("How are you?", "hello"), ("¿Cómo está?", "hola"), ("Would you like that?", "maybe, bye the way"),
    ])
    func `a question of ours keeps the device listening`(reply: String, said: String) {
        #expect(KeepListening.after(reply, to: said, ConversationState()))
    }

    @Test(arguments: [
        ("Sleep well.", "good night"), ("Shall we talk tomorrow?", "Goodbye Milo"), ("Adiós.", "adiós"),
        ("That is lovely.", "I like tea"), ("See you soon?", "thanks, see you later"), ("Good.", ""),
    ])
    func `a goodbye or a statement lets it rest`(reply: String, said: String) {
        #expect(!KeepListening.after(reply, to: said, ConversationState()))
    }

    @Test func `an open question keeps it listening even after a goodbye`() {
        let state = ConversationState(question: .init(kind: .check, category: .fall, level: .high, askedAt: Date()))
        #expect(KeepListening.after("I'm with you.", to: "goodbye", state))
    }
}
