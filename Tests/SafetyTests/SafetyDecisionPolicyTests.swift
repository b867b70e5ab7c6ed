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
        #expect(again.state.check?.level == .critical)
    }

    @Test(arguments: [
        (Conversation.Category.cardiac, Level.critical, true), (.cardiac, .high, true), (.stroke, .critical, false),
        (.distress, .low, false),
    ])
    func `what an open check was asked for stands alerted when it is said again, and nothing else does`(
        category: Conversation.Category,
        level: Level,
        stands: Bool
    ) {
        let first = decide("My chest hurts badly", [finding(.cardiac, .critical)])
        #expect(!first.hasStandingAlert && first.isAlerted)
        let again = decide("…", [finding(category, level)], state: first.state)
        #expect(again.hasStandingAlert == stands)
        #expect(again.alerts.isEmpty == stands)
        #expect(again.isAlerted)
        let unrelated = decide("The roses are out", [], state: first.state)
        #expect(!unrelated.isAlerted)
    }

    @Test(arguments: ["no", "No, I'm fine", "I'm okay", "nope", "don't worry", "estoy bien"])
    func `a good answer closes the check and writes nothing back`(said: String) {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let answered = decide(said, [], state: asked.state)
        #expect(answered.alerts.isEmpty)
        #expect(answered.state.check == nil)
        #expect(answered.fixedReply?.text.hasPrefix("I'm glad.") == true)
    }

    @Test func `an unclear answer is asked again once, then doubt raises the matter`() {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let first = decide("well the carpet was loose", [], state: asked.state)
        #expect(first.fixedReply == asked.fixedReply)
        #expect(first.alerts.isEmpty)
        let second = decide("it is an old carpet", [], state: first.state)
        #expect(second.alerts.map(\.level) == [.high])
        let third = decide("a gift from my aunt", [], state: second.state)
        #expect(third.fixedReply == second.fixedReply)
        let fourth = decide("she had taste", [], state: third.state)
        #expect(fourth.fixedReply == nil)
        #expect(fourth.alerts.isEmpty)
        #expect(fourth.state.check?.level == .high)
    }

    @Test(arguments: [
        "no I can't get up", "No my head is fine but I can't get up", "no no no help me", "I am fine, I broke my hip",
        "I did hit my head but I'm fine", "No, but I can't feel my legs", "No pain but I am very sleepy",
    ])
    func `fine with harm behind it raises the alert`(said: String) {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let answered = decide(said, [], state: asked.state)
        #expect(answered.alerts.map(\.level) == [.high])
        #expect(answered.fixedReply?.text.contains("?") == true)
    }

    @Test(arguments: [Conversation.Category.fall, .distress, .otherMedical])
    func `fine in a message that tells of something closes nothing`(category: Conversation.Category) {
        let asked = decide("I fell", [finding(.fall, .medium)])
        let answered = decide("no", [finding(category, .low)], state: asked.state)
        #expect(answered.fixedReply == asked.fixedReply)
        #expect(answered.state.check?.category == .fall)
    }

    @Test(arguments: [
        "it is getting worse", "my arm is numb now", "I feel faint", "no it hurts more", "help me", "me duele más",
    ])
    func `after a critical line the matter stays open, and worse words get the line again`(said: String) {
        let told = decide("my chest hurts", [finding(.cardiac, .critical)])
        #expect(KeepListening.after(told.fixedReply?.text ?? "", to: "my chest hurts", told.state))
        let answered = decide(said, [], state: told.state)
        #expect(answered.fixedReply == told.fixedReply)
        #expect(answered.level == .critical)
        #expect(answered.alerts.isEmpty)
        #expect(answered.state.check?.level == .critical)
    }

    @Test(arguments: ["what shall I do", "yes", "okay", "I like tea", "hello?", "no", "I called my sister"])
    func `while a critical matter is open the model does not speak`(said: String) {
        let told = decide("my chest hurts", [finding(.cardiac, .critical)])
        let answered = decide(said, [], state: told.state)
        #expect(answered.fixedReply?.text.hasPrefix("I'm here with you. Have you called") == true)
        let late = decide(said, [], state: told.state, at: now.addingTimeInterval(700))
        #expect(late.fixedReply == nil)
        #expect(late.state.check == nil)
    }

    @Test func `asked whether emergency services are called, yes and no are told what next, and neither closes it`() {
        let told = decide("my chest hurts", [finding(.cardiac, .critical)])
        let asked = decide("hm", [], state: told.state)
        let called = decide("yes", [], state: asked.state)
        #expect(called.fixedReply?.text.hasPrefix("Good. Stay where you are") == true)
        let not = decide("no", [], state: asked.state)
        #expect(not.fixedReply?.text.hasPrefix("Please call emergency services now, or") == true)
        #expect(called.state.check?.level == .critical && not.state.check?.level == .critical)
    }

    @Test func `well again after a critical line is asked what is asked when it is high, and only then closed`() {
        let told = decide("…", [finding(.fall, .critical)])
        let better = decide("I'm fine now", [], state: told.state)
        #expect(better.fixedReply == decide("…", [finding(.fall, .high)]).fixedReply)
        #expect(better.alerts.isEmpty)
        #expect(decide("no", [], state: better.state).state.check == nil)
        #expect(decide("yes", [], state: better.state).level == .critical)
        let helped = decide("the ambulance is here", [], state: told.state)
        #expect(helped.state.check == nil)
        #expect(helped.fixedReply?.text.hasPrefix("I'm glad someone is with you.") == true)
    }

    @Test(arguments: ["No", "No, I am not all right", "I can't get up", "my head hurts", "yes but I'm bleeding"])
    func `asked of what was said a while ago whether they are all right, no is the worse answer`(said: String) {
        let late = decide("I fell", [finding(.fall, .high)], lateBy: 3 * 3600)
        #expect(late.state.check?.asksIfWell == true)
        let answered = decide(said, [], state: late.state)
        #expect(answered.level == .critical)
        #expect(answered.alerts.map(\.level) == [.critical])
        let fine = decide("Yes, I'm fine", [], state: late.state)
        #expect(fine.alerts.isEmpty)
        #expect(fine.state.check == nil)
        #expect(decide("what message", [], state: late.state).fixedReply == late.fixedReply)
    }

    @Test(arguments: [
        [(Conversation.Category.abuse, Level.high), (.fall, .high)], [(.abuse, .high), (.fall, .critical)],
        [(.neglect, .high), (.medication, .high)], [(.abuse, .medium), (.environment, .critical)],
        [(.abuse, .low), (.scam, .medium)], [(.abuse, .high), (.otherMedical, .high)],
        [(.abuse, .high), (.selfHarm, .critical)],
    ])
    func `with abuse in it nobody close is told or said to be told`(found: [(Conversation.Category, Level)]) {
        let findings = found.map { finding($0, $1) }
        let decision = decide("…", findings)
        let said = decision.fixedReply?.text.lowercased() ?? ""
        #expect(!said.isEmpty && !said.contains("family") && !said.contains("telling"), "\(said)")
        #expect(decision.alerts.map(\.category) == [found[0].0])
        #expect(decision.alerts.first?.level == found.map(\.1).max())
        #expect(decision.alerts.first?.summary.contains(", and ") == true)
        let closed = decide("no", [], state: decision.state)
        #expect(closed.fixedReply?.text.lowercased().contains("family") != true)
    }

    @Test func `a milder finding of the same kind does not make the check milder`() {
        let asked = decide("I have fallen and I can't get up", [finding(.fall, .high)])
        let again = decide("I fell", [finding(.fall, .medium)], state: asked.state)
        #expect(again.state.check?.level == .high)
        #expect(again.fixedReply == asked.fixedReply)
        #expect(decide("yes", [], state: again.state).level == .critical)
    }

    @Test func `a check that another was asked over is asked again when that one is closed`() {
        let fell = decide("I fell", [finding(.fall, .medium)])
        let scam = decide("he wants gift cards", [finding(.scam, .medium)], state: fell.state)
        #expect(scam.fixedReply?.text.hasPrefix("This could be a scam.") == true)
        let answered = decide("yes", [], state: scam.state)
        #expect(answered.fixedReply == fell.fixedReply)
        #expect(decide("my head hurts", [], state: answered.state).alerts.map(\.level) == [.high])
        #expect(decide("no", [], state: answered.state).state.checks.isEmpty)
    }

    @Test func `a critical matter is not put off by another that is not`() {
        let told = decide("my chest hurts", [finding(.cardiac, .critical)])
        let fell = decide("I fell", [finding(.fall, .medium)], state: told.state)
        #expect(fell.alerts.map(\.category) == [.fall])
        #expect(fell.fixedReply?.text.hasPrefix("I'm here with you.") == true)
        #expect(fell.state.check?.category == .cardiac)
        #expect(fell.state.waiting.map(\.category) == [.fall])
        let burning = decide("fire", [finding(.environment, .critical)], state: told.state)
        #expect(burning.fixedReply?.text.hasPrefix("Please get out") == true)
    }

    @Test func `a state that was stored before checks could wait is read`() throws {
        let stored = #"{"check":{"category":"fall","level":"high","askedAt":0,"step":1},"risk":{"fall":0.5}}"#
        let state = try JSONDecoder().decode(ConversationState.self, from: Data(stored.utf8))
        #expect(state.check?.asksIfWell == false)
        #expect(state.waiting.isEmpty)
        #expect(try JSONDecoder().decode(ConversationState.self, from: JSONEncoder().encode(state)) == state)
    }

    @Test func `a check of another conversation is adopted only if it was asked after this one's last turn`() {
        let asked = ConversationState(check: .init(category: .fall, level: .high, askedAt: now), riskAt: now)
        #expect(ConversationState().withCheck(of: asked).check?.category == .fall)
        #expect(ConversationState(riskAt: now - 60).withCheck(of: asked).check?.category == .fall)
        #expect(ConversationState(riskAt: now + 60).withCheck(of: asked).check == nil)
        let own = ConversationState(check: .init(category: .scam, level: .low, askedAt: now - 60), riskAt: now - 60)
        #expect(own.withCheck(of: asked).checks.map(\.category) == [.fall, .scam])
        #expect(own.withCheck(of: ConversationState()) == own)
    }

    @Test func `without memory the language is that of the message`() {
        let turn = Turn(
            tenant: TenantID(),
            patient: PatientID(),
            text: "Me caí y no puedo levantarme",
            spokenAt: now,
            receivedAt: now
        )
        let decision = policy.decide(turn, Screening(findings: [finding(.fall, .high)]), memory: nil, at: now)
        #expect(decision.fixedReply?.text.hasPrefix("No se mueva.") == true)
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

    @Test(arguments: ["Yes, please.", "Sure.", "Go ahead.", "Sí, por favor.", "Please do."])
    func `a yes to what was offered is told, at the day's end`(said: String) throws {
        let decision = decide(said, [], state: ConversationState(offeredAt: now - 60))
        let alert = try #require(decision.alerts.first)
        #expect(decision.alerts.count == 1)
        #expect(alert.category == .request)
        #expect(alert.level == .low)
        #expect(decision.fixedReply != nil)
        #expect(decision.state.offeredAt == nil)
    }

    @Test(arguments: ["No, thank you.", "What's the weather like?", "Do you know a song?", "My roses are out."])
    func `anything else tells nobody, and the offer is over`(said: String) {
        let decision = decide(said, [], state: ConversationState(offeredAt: now - 60))
        #expect(decision.alerts.isEmpty)
        #expect(decision.state.offeredAt == nil)
    }

    @Test func `a yes too late, to a check, or with danger in it is no answer to an offer`() {
        #expect(decide("Yes.", [], state: ConversationState(offeredAt: now - 3600)).alerts.isEmpty)
        let check = ConversationState.Check(category: .fall, level: .medium, askedAt: now - 60)
        let both = ConversationState(check: check, offeredAt: now - 60)
        #expect(!decide("Yes.", [], state: both).alerts.contains { $0.category == .request })
        let grave = decide(
            "Yes, my chest hurts.",
            [finding(.cardiac, .critical)],
            state: ConversationState(offeredAt: now)
        )
        #expect(grave.alerts.map(\.category) == [.cardiac])
    }

    @Test func `where the carer may be the danger an offer tells nobody`() {
        let state = ConversationState(risk: ["abuse": 0.8], riskAt: now - 60, offeredAt: now - 60)
        #expect(decide("Yes.", [], state: state).alerts.isEmpty)
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
