import Foundation
import Testing

@testable import Conversation

/// What is said without a model to somebody who is known.
@Suite struct MemoryRepliesTests {
    private static let morning = Date(timeIntervalSince1970: 1_772_006_400)

    private static func memory(_ name: String = "Rose Marie", language: String = "en-US") -> PatientMemory {
        PatientMemory(
            patient: Patient(id: PatientID(), tenant: TenantID(), name: name, timeZone: .gmt, language: language),
            contacts: [
                Contact(id: ContactID(), name: "Officer Hill", relation: "advocate", priority: 1, isForAbuse: true),
                Contact(id: ContactID(), name: "Bob Jones", relation: "son", priority: 3),
                Contact(id: ContactID(), name: "Anna Jones", relation: "daughter", priority: 2),
            ]
        )
    }

    private static func finding(_ category: Conversation.Category) -> Screening {
        Screening(findings: [Finding(level: .medium, category: category, rule: "test", span: 0..<1)])
    }

    @Test(arguments: [
        ("Good morning!", "Good morning, Rose. It's good to hear you. How are you?"),
        ("hello milo", "Good morning, Rose. It's good to hear you. How are you?"),
        ("Thank you dear", "You're welcome, Rose. What would you like to talk about?"),
        ("Who won the war?", "I'm not sure about that, Rose. Would you like me to ask Anna?"),
        ("Thanks, goodbye Milo", "Goodbye, Rose. I'm here whenever you want to talk."),
        ("The garden is lovely today", "I'm here with you, Rose. Would you like to tell me a little more?"),
    ])
    func `an ordinary message gets a line for what it is`(said: String, line: String) {
        #expect(MemoryReplies(Self.memory(), at: Self.morning).reply(to: said, Screening()) == line)
    }

    @Test(arguments: Conversation.Category.allCases, ["en-US", "es-MX"])
    func `every category has a line that is short, asks, and names nobody who may be the cause`(
        category: Conversation.Category,
        language: String
    ) throws {
        let replies = MemoryReplies(Self.memory(language: language), at: Self.morning)
        let line = try #require(replies.reply(to: "something", Self.finding(category)))
        #expect(WordCount.of(line) <= 20)
        #expect(line.contains("Rose"))
        #expect(line.hasSuffix("?"))
        for name in ["Anna", "Bob", "Hill", "Officer"] { #expect(!line.contains(name)) }
    }

    @Test(arguments: ["", "  ", "Dr. 7", "<script>", String(repeating: "a", count: 21)])
    func `a name that cannot be spoken leaves the line for everybody`(name: String) {
        #expect(MemoryReplies(Self.memory(name), at: Self.morning).reply(to: "hello", Screening()) == nil)
    }

    @Test func `without memory there is no such line`() {
        #expect(MemoryReplies(nil, at: Self.morning).reply(to: "hello", Screening()) == nil)
    }
}
