import Conversation
import Domain
import Foundation
import Runtime
import Testing
import YAML

@testable import Safety

/// The decision about a message: who must know, which words the service has, and how an incident goes on and ends.
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

    // MARK: New danger

    @Test(arguments: [
        (Domain.Category.cardiac, Level.critical), (.stroke, .critical), (.breathing, .critical),
        (.bleeding, .critical), (.fall, .critical), (.fall, .high), (.fall, .medium), (.selfHarm, .critical),
        (.selfHarm, .high), (.selfHarm, .medium), (.medication, .high), (.confusion, .high), (.abuse, .high),
        (.environment, .critical), (.scam, .low), (.scam, .high), (.unconscious, .critical), (.otherMedical, .high),
        (.wandering, .high),
    ])
    func `a danger has canned words, of which a trusted model may say better ones`(
        category: Domain.Category,
        level: Level
    ) {
        let decision = decide("…", [finding(category, level)])
        #expect(decision.canned != nil)
        #expect(decision.level == level)
        #expect(!decision.asksModel(in: .strict(reason: .untested)))
        #expect(decision.asksModel(in: .open))
        let isUrgent = level == .critical
        #expect(decision.handling == (isUrgent ? .emergency : .protective))
        if isUrgent { #expect(decision.canned?.text.lowercased().contains("emergency") == true) }
    }

    @Test(arguments: [
        (Domain.Category.distress, Level.low), (.otherMedical, .medium), (.nutrition, .medium),
        (.medication, .medium), (.distress, .medium), (.environment, .low),
    ])
    func `a lesser matter leaves the model to speak, and is alerted`(category: Domain.Category, level: Level) {
        let decision = decide("…", [finding(category, level)])
        #expect(decision.canned == nil)
        #expect(decision.handling == .free)
        #expect(decision.alerts.map(\.level) == [level])
    }

    @Test func `nothing found means nothing decided`() {
        for findings in [[], [finding(.fall, .none)]] {
            let decision = decide("The roses are out", findings)
            #expect(decision.level == .none && decision.alerts.isEmpty && decision.canned == nil)
            #expect(decision.state.incidents.isEmpty && decision.tail == nil)
        }
    }

    @Test func `each category is alerted once, at its gravest`() {
        let decision = decide("…", [finding(.fall, .medium), finding(.fall, .high), finding(.distress, .low)])
        #expect(decision.alerts.map(\.category) == [.fall, .distress])
        #expect(decision.alerts.first?.level == .high)
    }

    @Test func `the summary says the danger and the urgency and never what was said`() {
        let decision = decide("I fell in the bath", [finding(.fall, .high)])
        #expect(decision.alerts.first?.summary == "Rose may have fallen. Please call at once.")
        let late = decide("I fell in the bath", [finding(.fall, .high)], lateBy: 3 * 3600)
        #expect(late.alerts.first?.summary == "Rose may have fallen. Please call at once. Said 3 hours ago.")
        #expect(late.canned?.question?.kind == .late)
        #expect(late.handling == .canned)
    }

    @Test func `a second danger speaks for itself while the first is open`() {
        let fell = said(decide("I fell", [finding(.fall, .high)]))
        let scam = decide("he wants gift cards", [finding(.scam, .medium)], state: fell)
        #expect(scam.canned?.text.lowercased().contains("scam") == true)
        #expect(scam.alerts.map(\.category) == [.scam])
        let burning = decide("fire", [finding(.environment, .critical)], state: fell)
        #expect(burning.handling == .emergency)
        #expect(burning.state.incidents.map(\.category) == [.environment, .fall])
    }

    @Test func `evidence that is no graver writes no second alert and leaves the model to speak`() {
        let state = said(decide("…", [finding(.fall, .high)]))
        let again = decide("…", [finding(.fall, .medium)], state: state)
        #expect(again.alerts.isEmpty && again.canned == nil)
        #expect(again.state.incidents.first?.level == .high)
        let graver = decide("…", [finding(.fall, .critical)], state: state)
        #expect(graver.alerts.map(\.level) == [.critical])
        #expect(graver.canned != nil)
    }

    // MARK: Words

    @Test(arguments: [
        ("They called about my computer", ScamType.techSupport, "scam.computer"),
        ("a voice on the phone", nil, "scam.call"),
        ("I got an email with a link", nil, "scam.message"), ("he wants me to buy cards", .giftCard, "scam.gift_card"),
        ("my grandson needs bail", .familyEmergency, "scam.person"), ("he wants money", nil, "scam.money"),
    ])
    func `the scam warning fits its subject`(said: String, type: ScamType?, name: String) {
        let screening = Screening(findings: [finding(.scam, .medium)], scamType: type)
        let decision = decide(said, screening)
        #expect(decision.canned?.ids.first?.hasPrefix(name + "/") == true)
        if name == "scam.call" { #expect(decision.canned?.text.contains("click") == false) }
    }

    @Test func `the same words are never said twice in a row`() {
        var state = ConversationState()
        var last = ""
        for turn in 0..<8 {
            let decision = decide("…", [finding(.fall, .high)], state: state, at: now + Double(turn) * 700)
            let text = decision.canned?.text ?? ""
            #expect(!text.isEmpty && text != last)
            last = text
            state = said(decision, at: now + Double(turn) * 700)
        }
    }

    @Test func `the family is named only where it can be notified`() {
        let known = decide("…", [finding(.fall, .high)])
        #expect(known.canned?.text.contains("your family") == true)
        let alone = decide("…", Screening(findings: [finding(.fall, .high)]), hasContacts: false)
        #expect(alone.canned?.text.contains("family") == false)
        #expect(alone.canned?.text.contains("somebody") == true)
    }

    @Test(arguments: [
        [(Domain.Category.abuse, Level.high), (.fall, .high)], [(.abuse, .high), (.fall, .critical)],
        [(.neglect, .high), (.medication, .high)], [(.abuse, .medium), (.environment, .critical)],
        [(.abuse, .low), (.scam, .medium)], [(.abuse, .high), (.selfHarm, .critical)],
    ])
    func `with abuse in it nobody close is notified or said to be`(found: [(Domain.Category, Level)]) {
        let decision = decide("…", found.map { finding($0, $1) })
        let said = decision.canned?.text.lowercased() ?? ""
        #expect(!said.isEmpty && !said.contains("family") && !said.contains("telling"), "\(said)")
        #expect(decision.alerts.map(\.category) == [found[0].0])
        #expect(decision.alerts.first?.level == found.map(\.1).max())
        #expect(decision.alerts.first?.summary.contains(", and ") == true)
    }

    @Test func `without memory the decision is as grave and the language is that of the message`() {
        let turn = Turn(
            tenant: TenantID(),
            patient: PatientID(),
            text: "Me caí y no puedo levantarme",
            spokenAt: now,
            receivedAt: now
        )
        let decision = policy.decide(turn, Screening(findings: [finding(.fall, .high)]), memory: nil, at: now)
        #expect(decision.canned?.text.hasPrefix("No se mueva.") == true)
        #expect(decision.alerts.first?.summary == "The person you look after may have fallen. Please call at once.")
    }

    // MARK: Answers

    @Test(arguments: ["yes", "Yes, I hit my head", "yeah", "sí"])
    func `a worse answer raises the alert and brings the next words`(answer: String) {
        let state = said(decide("I fell", [finding(.fall, .medium)]))
        let answered = decide(answer, [], state: state)
        #expect(answered.alerts.map(\.level) == [.high])
        #expect(answered.canned?.ids.first?.hasPrefix("fall.high/") == true)
        let again = decide("yes", [], state: said(answered))
        #expect(again.alerts.map(\.level) == [.critical])
    }

    @Test(arguments: ["no", "No, I'm fine", "I'm okay", "nope", "don't worry", "estoy bien"])
    func `a good answer ends the incident and writes nothing`(answer: String) {
        let state = said(decide("I fell", [finding(.fall, .medium)]))
        let answered = decide(answer, [], state: state)
        #expect(answered.alerts.isEmpty && answered.state.incidents.isEmpty)
        #expect(answered.handling == .trusted)
    }

    @Test(arguments: [
        "I'm going to cut the pie now", "I took the bus", "my cat jumped on the fire place", "tell me about the moon",
        "What time is it?", "that film was to die for", "it hurts me to see the garden so dry",
    ])
    func `other talk while a check at high is open raises nothing and reaches the model`(said text: String) {
        let state = said(decide("I fell", [finding(.fall, .high)]))
        let decision = decide(text, [], state: state)
        #expect(decision.level == .none && decision.alerts.isEmpty && decision.canned == nil)
        #expect(decision.tail != nil)
        let next = decide("yes", [], state: said(decision, "The moon is far away."))
        #expect(next.alerts.isEmpty)
    }

    @Test func `a yes to anything but the question is no answer`() {
        let state = said(decide("I fell", [finding(.fall, .high)]))
        let talk = decide("tell me a story", [], state: state)
        let after = said(talk, "Would you like a funny one?", canned: [])
        #expect(decide("yes", [], state: after).alerts.isEmpty)
    }

    @Test func `a message that was spoken before the question does not answer it`() {
        let state = said(decide("I fell", [finding(.fall, .high)], lateBy: 3600))
        let queued = decide("yes", [], state: state, at: now + 1, lateBy: 3500)
        #expect(queued.alerts.isEmpty)
        #expect(queued.state.question != nil)
        #expect(decide("no", [], state: queued.state, at: now + 5).alerts.map(\.level) == [.critical])
    }

    @Test func `an answer after ten minutes is no answer`() {
        let state = said(decide("I fell", [finding(.fall, .medium)]))
        let answered = decide("yes", [], state: state, at: now + 601)
        #expect(answered.level == .none && answered.state.question == nil)
    }

    @Test(arguments: [("yes please", "scam_yes"), ("no", "scam_no")])
    func `the scam warning's question is answered`(answer: String, name: String) {
        let state = said(decide("…", [finding(.scam, .medium)]))
        let decision = decide(answer, [], state: state)
        #expect(decision.canned?.ids.first?.hasPrefix(name + "/") == true)
        #expect(decision.state.incidents.isEmpty)
    }

    @Test(arguments: ["Yes, please.", "Sure.", "Go ahead.", "Sí, por favor.", "Please do."])
    func `a yes to an offer is passed on, at the day's end`(answer: String) throws {
        let decision = decide(answer, [], state: offered(at: now - 60))
        let alert = try #require(decision.alerts.first)
        #expect(decision.alerts.count == 1 && alert.category == .request && alert.level == .low)
        #expect(decision.handling == .canned)
    }

    @Test(arguments: ["No, thank you.", "What's the weather like?", "Do you know a song?", "My roses are out."])
    func `anything else passes nothing on, and the offer is over`(answer: String) {
        let decision = decide(answer, [], state: offered(at: now - 60))
        #expect(decision.alerts.isEmpty && decision.state.question == nil)
    }

    @Test func `an offer is not accepted too late, with danger in the answer, or where the carer may be the danger`() {
        #expect(decide("Yes.", [], state: offered(at: now - 3600)).alerts.isEmpty)
        let grave = decide("Yes, my chest hurts.", [finding(.cardiac, .critical)], state: offered(at: now))
        #expect(grave.alerts.map(\.category) == [.cardiac])
        var abused = offered(at: now - 60)
        (abused.risk, abused.riskAt) = (["abuse": 0.8], now - 60)
        #expect(decide("Yes.", [], state: abused).canned?.ids.first?.hasPrefix("offer_declined/") == true)
    }

    // MARK: Endings

    @Test(arguments: Closing.allCases, [Level.medium, .high, .critical])
    func `help, a call, a mistake and feeling better end an incident or put it in hand`(closing: Closing, level: Level)
    {
        let state = said(decide("…", [finding(.cardiac, level)]))
        let decision = decide("…", Screening(closings: [closing]), state: state)
        let incident = decision.state.incidents.first
        switch closing {
        case .denied: #expect(incident?.isInHand == false)
        case .called: #expect(incident?.isInHand == true)
        case .recovered: #expect(level == .critical ? incident?.level == .high : incident == nil)
        case .helpHere, .falseAlarm: #expect(incident == nil)
        }
        #expect(decision.alerts.isEmpty && decision.tail == nil || closing == .denied)
    }

    @Test(arguments: [(2.0, Level.low), (25, .medium)])
    func `sad remarks of one talk weigh as one, and those of an evening gather`(minutes: Double, level: Level) {
        var state = ConversationState()
        var heard = Level.none
        for place in 0..<5 {
            let date = now + Double(place) * minutes * 60
            let found = Screening(findings: [finding(.distress, .low)])
            let decision = policy.decide(turn("…", at: date), found, memory: memory(state), at: date)
            (state, heard) = (decision.state, max(heard, decision.level))
        }
        #expect(heard == level)
    }

    @Test func `an incident of self-harm ends only when the thought is denied, and a note remains`() {
        let state = said(decide("…", [finding(.selfHarm, .high)]))
        for closing in Closing.allCases {
            let decision = decide("…", Screening(closings: [closing]), state: state)
            #expect(decision.state.incidents.isEmpty == (closing == .denied))
            #expect(decision.state.risk["self_harm"] != nil)
        }
    }

    @Test func `an incident ends when a person has closed its alert`() {
        let state = said(decide("…", [finding(.fall, .high)]))
        #expect(decide("hello", Screening(), state: state, openAlerts: []).state.incidents.isEmpty)
        #expect(!decide("hello", Screening(), state: state, openAlerts: [.fall]).state.incidents.isEmpty)
        #expect(!decide("hello", Screening(), state: state, openAlerts: nil).state.incidents.isEmpty)
    }

    @Test func `checks come at the first reply and every third, three times at most, and the incident ends`() {
        var state = said(decide("…", [finding(.cardiac, .critical)]))
        var checks: [Bool] = []
        for turn in 1...8 {
            let decision = decide("The weather is nice", [], state: state, at: now + Double(turn))
            checks.append(decision.tail != nil)
            state = said(decision, "It is.", at: now + Double(turn))
        }
        #expect(checks == [true, false, false, true, false, false, false, false])
        #expect(state.incidents.isEmpty)
        let later = said(decide("…", [finding(.cardiac, .critical)]))
        #expect(decide("hello", [], state: later, at: now + 601).state.incidents.isEmpty)
    }

    @Test func `random talk never escalates, never repeats canned words and always ends its incidents`() {
        var random = SeededGenerator(seed: 7)
        let talk = [
            "tell me about the moon", "I took the bus", "my pills are blue", "no idea", "help yourself",
            "I cut the roses",
            "what a killing heat", "well", "the fire is warm", "it hurts to laugh", "my son called",
            "that was deadly dull",
        ]
        let dangers: [(Domain.Category, Level)] = [
            (.fall, .medium), (.cardiac, .critical), (.scam, .medium), (.selfHarm, .high),
        ]
        for _ in 0..<200 {
            var (state, date, lastCanned, quiet) = (ConversationState(), now, "", 0)
            for _ in 0..<30 {
                date += Double(Int.random(in: 5...90, using: &random))
                let danger = Int.random(in: 0..<12, using: &random) == 0 ? dangers.randomElement(using: &random) : nil
                let text = talk.randomElement(using: &random) ?? ""
                let decision = decide(text, danger.map { [finding($0.0, $0.1)] } ?? [], state: state, at: date)
                if danger == nil {
                    #expect(decision.alerts.isEmpty && decision.level == .none, "\(text)")
                    quiet += 1
                } else {
                    quiet = 0
                }
                if let canned = decision.canned {
                    #expect(canned.text != lastCanned)
                    lastCanned = canned.text
                } else {
                    lastCanned = ""
                }
                if let danger, danger.1 > state.level(of: danger.0) { #expect(decision.alerts.count == 1) }
                state = said(decision, "That is nice to hear.", at: date)
                if quiet > IncidentTransitions.maximumReplies { #expect(state.incidents.isEmpty) }
            }
        }
    }

    // MARK: Model verdicts

    @Test(arguments: [
        (true, false, Level.high, [Level.high]), (false, false, .high, []), (false, true, .high, [.high]),
        (true, true, .none, [.low]), (true, false, .none, []),
    ])
    func `a verdict raises where the model is trusted or something was suspected, and clears a suspicion`(
        isTrusted: Bool,
        isSuspected: Bool,
        level: Level,
        alerts: [Level]
    ) {
        let screening = Screening(suspicions: isSuspected ? [finding(.fall, .medium)] : [])
        let verdict = ModelVerdict(level: level, category: level == .none ? nil : .fall)
        let decision = resolve(
            "I went down",
            screening,
            ReplyEvidence(verdict: verdict, isTrusted: isTrusted, sendsForHelp: false)
        )
        #expect(decision.alerts.map(\.level) == alerts)
        #expect(decision.tail == nil)
    }

    @Test func `a verdict never lowers what a rule has found`() {
        let screening = Screening(findings: [finding(.fall, .high)])
        let none = ModelVerdict(level: .none, category: nil)
        let decision = resolve("I fell", screening, ReplyEvidence(verdict: none, isTrusted: true, sendsForHelp: false))
        #expect(decision.level == .high)
    }

    @Test(arguments: [(true, [Level.high]), (false, [])])
    func `a rule that the detector questions alerts unless a verdict clears it`(isSilent: Bool, alerts: [Level]) {
        let questioned = Screening(questionedRules: ["test"])
        let screening = Screening(findings: [finding(.fall, .high)]).merged(with: questioned)
        #expect(screening.findings.isEmpty && screening.likely.map(\.level) == [.high])
        #expect(screening.settled(awaitingVerdict: false).level == .high, "without a model nothing clears it")
        let verdict = isSilent ? nil : ModelVerdict(level: .none, category: nil)
        let evidence = ReplyEvidence(verdict: verdict, isTrusted: true, sendsForHelp: false)
        let decision = resolve("I fell", screening.settled(awaitingVerdict: true), evidence)
        #expect(decision.alerts.map(\.level).filter { $0 >= .medium } == alerts)
    }

    @Test func `a verdict that repeats an alerted danger alerts nobody again and opens no incident`() {
        let alerted = [AlertedDanger(category: .fall, level: .high, at: now)]
        let verdict = ModelVerdict(level: .high, category: .fall)
        let evidence = ReplyEvidence(verdict: verdict, isTrusted: true, sendsForHelp: false)
        let again = resolve("There is a cardinal", Screening(), evidence, state: ConversationState(alerted: alerted))
        #expect(again.alerts.isEmpty && again.state.incidents.isEmpty)
        let worse = ReplyEvidence(
            verdict: ModelVerdict(level: .critical, category: .fall),
            isTrusted: true,
            sendsForHelp: false
        )
        let raised = resolve("So sleepy now", Screening(), worse, state: ConversationState(alerted: alerted))
        #expect(raised.alerts.map(\.level) == [.critical])
    }

    @Test func `low remarks add up to an alert only where none was written before`() {
        let sad = Screening(findings: [finding(.distress, .low)])
        let risk = ["distress": 1.0]
        let heavy = ConversationState(risk: risk, riskAt: now)
        #expect(decide("It is so quiet", sad, state: heavy).alerts.map(\.level) == [.medium])
        let known = ConversationState(
            risk: risk,
            riskAt: now,
            alerted: [AlertedDanger(category: .distress, level: .medium, at: now)]
        )
        #expect(decide("It is so quiet", sad, state: known).alerts.map(\.level) == [.low])
    }

    @Test func `a suspicion without a verdict is asked about once`() {
        let screening = Screening(suspicions: [finding(.fall, .medium)])
        let decision = resolve(
            "I went down",
            screening,
            ReplyEvidence(verdict: nil, isTrusted: true, sendsForHelp: false)
        )
        #expect(decision.tail?.question?.kind == .neutral)
        #expect(decision.alerts.isEmpty)
        let state = said(decision, "Oh dear.")
        #expect(decide("no", [], state: state).alerts.map(\.level) == [.medium])
        let again = resolve(
            "I went down",
            screening,
            ReplyEvidence(verdict: nil, isTrusted: true, sendsForHelp: false),
            state: state
        )
        #expect(again.tail == nil)
    }

    @Test(arguments: [(true, Level.high), (false, .medium)])
    func `words that send for help raise an alert where nothing else found the danger`(isTrusted: Bool, level: Level) {
        let decision = resolve("…", Screening(), ReplyEvidence(verdict: nil, isTrusted: isTrusted, sendsForHelp: true))
        #expect(decision.alerts.map(\.level) == [level])
    }

    // MARK: The file

    @Test(arguments: [
        "dangers: []\nreplies: {}", "dangers: []", "lines: []\nothers: {}",
        "dangers:\n  - {category: nonsense, level: high, en: [A.], es: [A.]}\nreplies: {}",
        "dangers:\n  - {category: any, level: high, en: [No end], es: [A.]}\nreplies: {}",
        "dangers:\n  - {category: any, level: high, en: [A., B.], es: [A., B., C.]}\nreplies: {}",
        "dangers:\n  - {category: any, level: high, en: [A., B., C.]}\nreplies: {}",
        "dangers:\n  - {category: any, level: high, en: [A., B., C.], es: [A., B., C.], wrong: 1}\nreplies: {}",
        "dangers:\n  - {category: any, level: high, en: [\"{who}.\", B., C.], es: [A., B., C.]}\nreplies: {}",
    ])
    func `a file that is not right is refused with its place`(text: String) {
        do {
            _ = try SafetyLines(text, file: "lines.yaml")
            Issue.record("read")
        } catch {
            #expect("\(error)".contains("lines.yaml:"))
        }
    }

    @Test(arguments: [
        ("[\"It's {clock}.\", \"It is {clock} now.\", \"The clock says {clock}.\"]", "[\"It's late.\", B., C.]"),
        ("    told:\n      en:\n        - \"The weather does", "    sung:\n      en:\n        - \"The weather does"),
        ("  weather:\n    words:\n      en: [weather", "  weather:\n    words:\n      en: [Weather"),
        ("  record.missed:", "  record.forgotten:"), ("  known.request:", "  known.wish:"),
    ])
    func `a shipped file without a part of the records or of a topic is refused with its place`(
        part: String,
        other: String
    ) throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        try #require(text.contains(part), "\(part)")
        do {
            _ = try SafetyLines(text.replacing(part, with: other), file: "lines.yaml")
            Issue.record("read")
        } catch {
            #expect("\(error)".contains("lines.yaml:"))
        }
    }

    @Test func `every reply has at least three wordings in every language`() {
        for (name, wordings) in lines.replies.wordings {
            for language in SafetyLines.languages {
                #expect((wordings[language]?.count ?? 0) >= SafetyLines.minimumWordings, "\(name)")
            }
        }
    }

    // MARK: Making

    private func finding(_ category: Domain.Category, _ level: Level) -> Finding {
        Finding(level: level, category: category, rule: "test", span: 0..<1)
    }

    private func offered(at date: Date) -> ConversationState {
        ConversationState(question: OpenQuestion(kind: .offer, category: .request, level: .none, askedAt: date))
    }

    /// The state after the decision's own words, or after a model's with the check behind them.
    private func said(
        _ decision: Decision,
        _ text: String? = nil,
        canned: [CannedReply]? = nil,
        at date: Date? = nil
    ) -> ConversationState {
        let own = decision.canned.map { [$0] } ?? decision.tail.map { [$0] } ?? []
        let words = text ?? decision.canned?.text ?? ""
        return policy.state(after: words, canned ?? own, of: decision, at: date ?? now)
    }

    private func memory(
        _ state: ConversationState,
        hasContacts: Bool = true,
        openAlerts: Set<Domain.Category>? = nil
    ) -> PatientMemory {
        PatientMemory(
            patient: Patient(id: PatientID(), tenant: TenantID(), name: "Rose", timeZone: .gmt),
            contacts: hasContacts ? [Contact(id: ContactID(), name: "Anna", relation: "daughter", priority: 1)] : [],
            openAlerts: openAlerts,
            state: state
        )
    }

    private func turn(_ text: String, at date: Date, lateBy: TimeInterval = 0) -> Turn {
        Turn(
            tenant: TenantID(),
            patient: PatientID(),
            text: text,
            spokenAt: date.addingTimeInterval(-lateBy),
            receivedAt: date
        )
    }

    private func decide(
        _ text: String,
        _ findings: [Finding],
        state: ConversationState = ConversationState(),
        at date: Date? = nil,
        lateBy: TimeInterval = 0
    ) -> Decision {
        let date = date ?? now
        let turn = turn(text, at: date, lateBy: lateBy)
        return policy.decide(turn, Screening(findings: findings), memory: memory(state), at: date)
    }

    private func decide(
        _ text: String,
        _ screening: Screening,
        state: ConversationState = ConversationState(),
        hasContacts: Bool = true,
        openAlerts: Set<Domain.Category>? = nil
    ) -> Decision {
        let memory = memory(state, hasContacts: hasContacts, openAlerts: openAlerts)
        return policy.decide(turn(text, at: now), screening, memory: memory, at: now)
    }

    private func resolve(
        _ text: String,
        _ screening: Screening,
        _ heard: ReplyEvidence,
        state: ConversationState = ConversationState()
    ) -> Decision {
        let turn = turn(text, at: now)
        let decision = policy.decide(turn, screening, memory: memory(state), at: now)
        var resolved = policy.resolve(decision, heard, turn, screening, memory: memory(state), at: now)
        if resolved == decision { resolved.alerts = decision.alerts }
        return resolved
    }
}
