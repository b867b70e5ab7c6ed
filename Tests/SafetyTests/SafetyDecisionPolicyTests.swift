import Conversation
import Foundation
import Safety
import Testing
import YAML

/// What follows from a finding: who must know, what is said, what is asked next.
@Suite struct SafetyDecisionPolicyTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "prompts/lines.yaml")
    private let lines: SafetyLines
    private let policy: SafetyDecisionPolicy
    private let now = Date(timeIntervalSince1970: 1_772_000_000)

    init() throws {
        lines = try SafetyLines(String(contentsOf: Self.file, encoding: .utf8), file: "lines.yaml")
        policy = SafetyDecisionPolicy(lines)
    }

    @Test func `every line can be taken in by a listener, in every language`() {
        for line in lines.lines {
            for language in SafetyLines.languages {
                let text = line.reply(in: language).text
                #expect((1...20).contains(WordCount.of(text)), "\(text)")
                #expect(text.last.map { ".?!".contains($0) } == true, "\(text)")
                #expect(line.worse == nil || text.contains("?"), "\(text)")
            }
        }
    }

    @Test(arguments: [
        (Conversation.Category.cardiac, Level.critical), (.stroke, .critical), (.breathing, .critical),
        (.bleeding, .critical),
        (.fall, .critical), (.fall, .high), (.fall, .medium), (.selfHarm, .critical), (.selfHarm, .high),
        (.selfHarm, .medium),
        (.medication, .high), (.confusion, .high), (.abuse, .high), (.environment, .critical), (.scam, .low),
        (.scam, .high),
        (.unconscious, .critical), (.otherMedical, .high), (.wandering, .high),
    ])
    func `danger is answered with a line of ours`(category: Conversation.Category, level: Level) {
        let decision = decide("…", [finding(category, level)])
        #expect(decision.fixedReply != nil)
        #expect(decision.level == level)
        if level == .critical, category != .environment, category != .scam {
            #expect(decision.fixedReply?.text.lowercased().contains("emergency") == true)
        }
    }

    @Test(arguments: [
        (Conversation.Category.distress, Level.low), (.otherMedical, .medium), (.nutrition, .medium),
        (.medication, .medium),
        (.distress, .medium), (.environment, .low),
    ])
    func `what is not grave leaves the model to speak, and is alerted`(category: Conversation.Category, level: Level) {
        let decision = decide("…", [finding(category, level)])
        #expect(decision.fixedReply == nil)
        #expect(decision.alerts.map(\.level) == [level])
    }

    @Test func `nothing found means nothing decided`() {
        let decision = decide("The roses are out", [])
        #expect(decision.level == .none)
        #expect(decision.alerts.isEmpty)
        #expect(decision.fixedReply == nil)
        let letGo = decide("I fell for it", [finding(.fall, .none)])
        #expect(letGo.alerts.isEmpty)
    }

    @Test func `a scam is answered with the scam line at any level`() {
        for level in [Level.low, .medium, .high] {
            let decision = decide("…", [finding(.scam, level)])
            #expect(decision.fixedReply?.text == "This could be a scam. Don't click. Want me to tell your family?")
            #expect(decision.warnsOfScam)
        }
    }

    @Test func `each category is alerted once, at its gravest`() {
        let decision = decide("…", [finding(.fall, .medium), finding(.fall, .high), finding(.distress, .low)])
        #expect(decision.alerts.map(\.category) == [.fall, .distress])
        #expect(decision.alerts.first?.level == .high)
    }

    @Test func `the summary says what and how soon and never what was said`() {
        let decision = decide("I fell in the bath", [finding(.fall, .high)])
        #expect(decision.alerts.first?.summary == "Rose may have fallen. Please call at once.")
        let late = decide("I fell in the bath", [finding(.fall, .high)], lateBy: 3 * 3600)
        #expect(late.alerts.first?.summary == "Rose may have fallen. Please call at once. Said 3 hours ago.")
        #expect(late.alerts.first?.lateBy == 10_800.0)
        #expect(late.fixedReply?.text == "Your message from earlier just reached me. Are you all right now?")
    }

    @Test(arguments: ["yes", "Yes, I hit my head", "yeah", "I can't get up", "sí"])
    func `a worse answer to a check raises the alert and the next question`(said: String) {
        let asked = decide("I fell", [finding(.fall, .medium)])
        #expect(asked.state.check?.category == .fall)
        let answered = decide(said, [], state: asked.state)
        #expect(answered.level == .high)
        #expect(answered.alerts.map(\.level) == [.high])
        #expect(answered.state.check?.level == .high)
        let again = decide("yes", [], state: answered.state)
        #expect(again.level == .critical)
        #expect(again.state.check == nil)
    }

    @Test(arguments: ["no", "No, I'm fine", "I'm okay", "nope", "don't worry", "estoy bien"])
    func `a good answer closes the check and writes nothing back`(said: String) {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let answered = decide(said, [], state: asked.state)
        #expect(answered.alerts.isEmpty)
        #expect(answered.state.check == nil)
        #expect(answered.fixedReply?.text.hasPrefix("I'm glad.") == true)
    }

    @Test func `an unclear answer is asked again once, then the model speaks and the check stays open`() {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let first = decide("well the carpet was loose", [], state: asked.state)
        #expect(first.fixedReply == asked.fixedReply)
        let second = decide("it is an old carpet", [], state: first.state)
        #expect(second.fixedReply == nil)
        #expect(second.state.check?.category == .fall)
    }

    @Test func `an answer that comes too late is no answer`() {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let answered = decide("yes", [], state: asked.state, at: now.addingTimeInterval(601))
        #expect(answered.level == .none)
        #expect(answered.state.check == nil)
    }

    @Test func `asked whether they are safe, no is the worse answer, and nobody is said to be told`() {
        let asked = decide("…", [finding(.abuse, .high)])
        #expect(asked.fixedReply?.text.contains("family") == false)
        #expect(decide("no", [], state: asked.state).level == .critical)
        let safe = decide("yes", [], state: asked.state)
        #expect(safe.alerts.isEmpty)
        #expect(safe.fixedReply?.text == "I'm glad you're safe. I'm here whenever you want to talk.")
    }

    @Test(arguments: [("yes please", "I will."), ("no", "All right.")])
    func `the scam line's question is answered`(said: String, begins: String) {
        let asked = decide("…", [finding(.scam, .medium)])
        #expect(decide(said, [], state: asked.state).fixedReply?.text.hasPrefix(begins) == true)
    }

    @Test func `another danger is not taken for an answer, and the check stays open`() {
        let asked = decide("…", [finding(.scam, .medium)])
        let dizzy = decide("I'm dizzy", [finding(.otherMedical, .medium)], state: asked.state)
        #expect(dizzy.fixedReply == nil)
        #expect(dizzy.alerts.map(\.category) == [.otherMedical])
        #expect(dizzy.state.check?.category == .scam)
    }

    @Test func `low findings gather over turns and fade with time`() {
        var state = ConversationState()
        var levels: [Level] = []
        for minute in 0..<4 {
            let date = now.addingTimeInterval(Double(minute) * 60)
            let decision = decide("…", [finding(.distress, .low)], state: state, at: date)
            levels.append(decision.level)
            state = decision.state
        }
        #expect(levels == [.low, .low, .medium, .medium])
        let nextDay = decide("…", [finding(.distress, .low)], state: state, at: now.addingTimeInterval(86_400))
        #expect(nextDay.level == .low)
    }

    @Test func `without memory the decision is as grave`() {
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: "…", spokenAt: now, receivedAt: now)
        let screening = Screening(findings: [finding(.fall, .critical)])
        let decision = policy.decide(turn, screening, memory: nil, at: now)
        #expect(decision.level == .critical)
        #expect(decision.alerts.first?.summary == "The person you look after may have fallen. Act now.")
    }

    @Test(arguments: [
        ("lines: []\nothers: {}", "others"),
        ("lines:\n  - {category: nonsense, level: high, en: \"A.\", es: \"A.\"}\nothers: {}", "category"),
        ("lines:\n  - {category: any, level: high, en: \"No end\", es: \"A.\"}\nothers: {}", "words"),
        ("lines:\n  - {category: any, level: high, en: \"A.\"}\nothers: {}", "es"),
        ("lines:\n  - {category: any, level: high, en: \"A.\", es: \"A.\", wrong: 1}\nothers: {}", "wrong"),
    ])
    func `a file that is not right is refused with its place`(text: String, names: String) {
        #expect(throws: YAMLError.self) { try SafetyLines(text, file: "lines.yaml") }
        do { _ = try SafetyLines(text, file: "lines.yaml") } catch {
            #expect("\(error)".contains("lines.yaml:"), "\(names)")
        }
    }

    private func finding(_ category: Conversation.Category, _ level: Level) -> Finding {
        Finding(level: level, category: category, rule: "test", span: 0..<1)
    }

    private func decide(
        _ text: String,
        _ findings: [Finding],
        state: ConversationState = ConversationState(),
        at date: Date? = nil,
        lateBy: TimeInterval = 0
    ) -> Decision {
        let date = date ?? now
        let tenant = TenantID()
        let patient = Patient(id: PatientID(), tenant: tenant, name: "Rose", timeZone: .gmt)
        let turn = Turn(
            tenant: tenant,
            patient: patient.id,
            text: text,
            spokenAt: date.addingTimeInterval(-lateBy),
            receivedAt: date
        )
        let memory = PatientMemory(patient: patient, state: state)
        return policy.decide(turn, Screening(findings: findings), memory: memory, at: date)
    }
}
