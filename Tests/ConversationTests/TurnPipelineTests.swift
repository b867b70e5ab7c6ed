import Conversation
import Domain
import Evaluation
import Foundation
import Reminders
import Runtime
import Synchronization
import TestSupport
import Testing

/// What the pipeline promises whatever its parts do.
@Suite(.timeLimit(.minutes(1)))
struct TurnPipelineTests {
    @Test func `an ordinary message gets the model's words, stored with the job that embeds them`() async throws {
        let bench = PipelineBench(says: ["Good mor", "ning, Rose. How did ", "you sleep?"])
        let reply = try await bench.answer("good morning").reply
        #expect(reply.text == "Good morning, Rose. How did you sleep?")
        #expect(reply.source == .model)
        #expect(reply.keepListening)
        #expect(reply.degraded == [])
        #expect(reply.usage.completionTokens == 5)
        let committed = try #require(bench.records.committed.withLock { $0.first })
        #expect(committed.reply == reply)
        #expect(committed.embeds == reply.message && committed.memory == nil)
    }

    @Test func `a turn that has a vector stores its own memory by it, and recall has it at once`() async throws {
        let vector: [Float] = [0, 1]
        let bench = PipelineBench(says: ["Good morning, Rose."], recall: .success(RecallResult(vector: vector)))
        let reply = try await bench.answer("I slept well").reply
        let committed = try #require(bench.records.committed.withLock { $0.first })
        let memory = try #require(committed.memory)
        #expect(memory.memory.id == MemoryID(reply.message.uuid) && memory.vector == vector)
        #expect(memory.memory.text == "I slept well / Good morning, Rose.")
        #expect(committed.embeds == nil)
        #expect(bench.journal.events.last == "remembered I slept well / Good morning, Rose. at 7 after 3")
    }

    @Test func `a turn in which no word was said leaves neither a memory nor a job`() async throws {
        let bench = PipelineBench(says: ["I am here."], recall: .success(RecallResult(vector: [0, 1])))
        _ = try await bench.answer("…")
        let committed = try #require(bench.records.committed.withLock { $0.first })
        #expect(committed.memory == nil && committed.embeds == nil)
    }

    @Test func `an alert is durable before the model is asked`() async throws {
        let bench = PipelineBench(says: ["Sit down, please."])
        let reply = try await bench.answer("I'm dizzy").reply
        #expect(bench.journal.events == ["remember", "record [\"medium\"]", "ask scripted", "piece 0", "commit"])
        #expect(reply.alertSent)
        #expect(reply.flags == ["other_medical"])
    }

    @Test func `a grave message gets our line and the model is never asked`() async throws {
        let bench = PipelineBench(says: ["That's great!"])
        let reply = try await bench.answer("I fell").reply
        #expect(reply.text == "Stay with me. Are you hurt?")
        #expect(reply.source == .fixed)
        #expect(reply.level == .high)
        #expect(!bench.journal.events.contains("ask scripted"))
    }

    @Test func `a question that belongs to the records never reaches the model`() async throws {
        let bench = PipelineBench(says: ["Yes, I did."])
        let reply = try await bench.answer("did I take my pill?").reply
        #expect(reply.source == .record)
        #expect(!bench.journal.events.contains("ask scripted"))
    }

    @Test func `danger that only the vector of the reading shows is alerted too`() async throws {
        let bench = PipelineBench(
            says: ["I'm here."],
            recall: .success(RecallResult(vector: [0, 1], reading: [1, 0]))
        )
        let reply = try await bench.answer("how many would it take").reply
        #expect(reply.flags == ["self_harm"])
        #expect(reply.alertSent)
    }

    @Test func `a reminder that the patient has not is named, and the message is answered all the same`() async throws {
        let bench = PipelineBench(says: ["Well done."])
        let patient = Patient(id: bench.patient, tenant: bench.tenant, name: "Rose", timeZone: .gmt)
        let known = Reminder(
            id: ReminderID(),
            title: "pill",
            kind: .medicine,
            schedule: .weekly(hour: 8, minute: 0, days: [1])
        )
        bench.records.script.withLock { $0.memory = PatientMemory(patient: patient, reminders: [known]) }
        func flags(_ reminder: ReminderID?) async throws -> [String] {
            let turn = Turn(
                tenant: bench.tenant,
                patient: bench.patient,
                text: "lovely weather",
                spokenAt: Date(),
                receivedAt: Date(),
                context: Turn.Context(reminder: reminder),
                trace: Trace(time: bench.time)
            )
            return try await bench.answer(turn).reply.flags
        }
        #expect(try await flags(ReminderID()) == ["unknown_reminder"])
        #expect(try await flags(known.id) == [])
        #expect(try await flags(nil) == [])
        bench.records.script.withLock { $0.rememberError = .unavailable(reason: "away") }
        #expect(try await flags(ReminderID()) == [], "what is remembered may be older than the reminder")
    }

    @Test(arguments: [
        ("The model is away", ScriptedModel.End.fails(.unreachable(reason: "refused")), [String](), ReplySource.memory),
        ("The model stalls after a sentence", .fails(.timedOut(after: .seconds(4))), ["I am here. And"], .salvaged),
        ("The stream is cut in a clause", .fails(.cutOff(pieces: 1)), ["I am here with you, and the"], .salvaged),
        ("The stream is cut at once", .fails(.cutOff(pieces: 1)), ["I am"], .memory),
        ("The model says nothing", .whole, [], .memory),
    ])
    func `whatever the model does there is a reply`(
        what: String,
        end: ScriptedModel.End,
        pieces: [String],
        source: ReplySource
    ) async throws {
        let bench = PipelineBench(says: pieces, then: end)
        let reply = try await bench.answer("hello").reply
        #expect(reply.source == source, "\(what)")
        #expect((1...20).contains(WordCount.of(reply.text)))
        #expect(reply.text.last.map { ".!?".contains($0) } == true)
        #expect(reply.degraded == [.model])
    }

    @Test(arguments: [[" "], ["\n", "\n\n"], ["..."], ["🙂"]])
    func `a model that says nothing that can be heard is named among what did not work`(pieces: [String]) async throws {
        let reply = try await PipelineBench(says: pieces).answer("hello").reply
        #expect(reply.source != .model)
        #expect(reply.degraded == [.model])
    }

    @Test func `a rule that many sentences break is one flag`() async throws {
        let bench = PipelineBench(says: ["You took your pill. The pill is gone. No pill is left. It is sunny."])
        let reply = try await bench.answer("hello").reply
        #expect(reply.text == "It is sunny.")
        #expect(reply.flags == ["records.pill"])
    }

    @Test(arguments: [(1, "Listening."), (2, "I'm here."), (5, "I am glad.")])
    func `a cap that leaves no sense gives a short line of ours`(words: Int, text: String) async throws {
        let bench = PipelineBench(says: ["I am glad to hear from you today."])
        let reply = try await bench.answer("hello", wordCap: words).reply
        #expect(reply.text == text)
        #expect(reply.source == (words == 5 ? .model : .fixed))
    }

    @Test func `an answer from the records is never cut within a sentence`() async throws {
        for words in 1...20 {
            let reply = try await PipelineBench(says: []).answer("did I take my pill?", wordCap: words).reply
            let isWhole = reply.text == "Your records show no medicine due yet today."
            #expect(isWhole == (words >= 8) && isWhole == (reply.source == .record), "\(reply.text)")
            #expect(WordCount.of(reply.text) <= words)
        }
    }

    @Test func `the second model answers when the first fails`() async throws {
        let journal = Journal()
        let first = ScriptedModel(
            journal,
            name: "first",
            [],
            then: .fails(.refused(status: 500, retryAfter: nil, message: ""))
        )
        let second = ScriptedModel(journal, name: "second", ["Hello, Rose."])
        let reply = try await PipelineBench(journal, [first, second]).answer("hello").reply
        #expect(reply.source == .fallbackModel)
        #expect(reply.degraded == [.model])
    }

    @Test func `the stream is stopped as soon as the reply is complete`() async throws {
        let words = (0..<200).map { "word\($0) " }
        let bench = PipelineBench(says: words, then: .waits)
        let reply = try await bench.answer("talk to me").reply
        #expect(WordCount.of(reply.text) == 20)
        #expect(bench.model.stopped.isSettled)
        #expect(bench.journal.events.filter { $0.hasPrefix("piece") }.count < 25)
    }

    @Test func `a sentence that fails the output screen is left out, and ours replaces advice`() async throws {
        let dropped = try await PipelineBench(says: ["You took your pill. It is sunny."]).answer("hello").reply
        #expect(dropped.text == "It is sunny.")
        #expect(dropped.flags == ["records.pill"])
        let replaced = try await PipelineBench(says: ["Double the dose. Then rest."]).answer("hello").reply
        #expect(replaced.text == "Shall I ask your family?")
        let nothing = try await PipelineBench(says: ["You took your pill."]).answer("hello").reply
        #expect(nothing.source == .memory)
        #expect(nothing.degraded == [.output])
    }

    @Test func `a caller's lower cap cuts the model's words and never a safety line`() async throws {
        let bench = PipelineBench(says: ["It is good to hear you today."])
        #expect(try await bench.answer("hello", wordCap: 3).reply.text == "It is good.")
        #expect(try await bench.answer("I fell", wordCap: 3).reply.text == "Stay with me. Are you hurt?")
    }

    @Test(arguments: [
        RecordsError.unavailable(reason: "down"), .timedOut(after: .milliseconds(500)),
        .refused(code: "53300", message: "too many connections"),
    ])
    func `without memory or recall the screens still hold and the reply says what is missing`(
        error: RecordsError
    ) async throws {
        let bench = PipelineBench(says: ["Hello."], recall: .failure(.engineUnavailable(reason: "gone")))
        bench.records.script.withLock { $0.rememberError = error }
        let reply = try await bench.answer("I fell").reply
        #expect(reply.text == "Stay with me. Are you hurt?")
        #expect(reply.degraded == [.memory, .recall])
        #expect(reply.alertSent)
    }

    @Test func `what the record does not take waits in the spool, and people are told from there`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        bench.records.script.withLock { $0.recordError = .unavailable(reason: "down") }
        let reply = try await bench.answer("I fell").reply
        #expect(reply.alertSent)
        #expect(reply.degraded == [.record])
        #expect(bench.spool.delivered.map(\.category) == [.fall])
        guard bench.spool.writes.count == 2, case .recorded(let recorded) = bench.spool.writes[0],
            case .committed(let committed) = bench.spool.writes[1]
        else {
            Issue.record("\(bench.spool.writes)")
            return
        }
        #expect(recorded.decision.alerts == bench.spool.delivered)
        #expect(committed.reply == reply)
        #expect(!bench.journal.events.contains("commit"))
    }

    @Test func `a turn that waits in the spool is replayed from there`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        bench.records.script.withLock {
            $0.rememberError = .unavailable(reason: "down")
            $0.recordError = .unavailable(reason: "down")
        }
        let first = try await bench.answer(bench.turn("hello", key: "k"))
        let again = try await bench.answer(bench.turn("hello", key: "k"))
        #expect(again == Answer(first.reply, isReplay: true))
        let other = bench.turn("goodbye", key: "k", fingerprint: "other")
        await #expect(throws: TurnError.keyReused("k")) { _ = try await bench.answer(other) }
    }

    @Test func `an alert that neither the record nor the spool takes is not called sent, and people are told`()
        async throws
    {
        let bench = PipelineBench(says: ["Hello."])
        bench.records.script.withLock { $0.recordError = .unavailable(reason: "down") }
        bench.spool.failure = .full
        let reply = try await bench.answer("I fell").reply
        #expect(!reply.alertSent)
        #expect(reply.degraded == [.record, .spool])
        #expect(bench.spool.delivered.map(\.category) == [.fall])
        #expect(bench.metrics.exposition.contains("hearth_alerts_unrecorded_total 1"))
    }

    @Test func `without the record a patient who spoke lately is still known`() async throws {
        let bench = PipelineBench(says: [], then: .fails(.unreachable(reason: "")))
        _ = try await bench.answer("hello")
        bench.records.script.withLock { $0.rememberError = .unavailable(reason: "down") }
        let reply = try await bench.answer("good morning").reply
        #expect(reply.degraded == [.memory, .model])
        #expect(reply.text.contains("Rose"))
    }

    @Test func `a reply that cannot be stored is given all the same`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        bench.records.script.withLock { $0.commitError = .timedOut(after: .seconds(1)) }
        let reply = try await bench.answer("hello").reply
        #expect(reply.text == "Hello.")
        #expect(reply.degraded == [.commit])
        #expect(bench.spool.writes.count == 1)
    }

    @Test func `a disk that stalls makes no answer late, and the reply is kept when it goes on`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        let disk = OneShot<Void>()
        let reply = try await bench.answer("hello", whileStalling: disk).reply
        #expect(reply.text == "Hello." && reply.degraded == [.commit])
        #expect(bench.spool.writes.isEmpty)
        disk.settle(())
        let patience = Deadline.soon
        while bench.spool.writes.isEmpty, !patience.hasPassed() { await Task.yield() }
        #expect(bench.spool.writes.count == 1)
    }

    @Test func `a turn that took long to finish leaves the next one's model less time`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        let disk = OneShot<Void>()
        _ = try await bench.answer("hello", whileStalling: disk)
        disk.settle(())
        bench.records.script.withLock { $0.commitError = nil }
        let began = bench.time.now
        _ = try await bench.answer("hello again")
        let limits = bench.model.deadlines.withLock { $0 }
        #expect(
            limits.map(\.instant) == [Instant(nanoseconds: 0) + .milliseconds(4_750), began + .milliseconds(3_500)]
        )
        #expect(bench.metrics.exposition.contains("hearth_turn_reserve_seconds 1.5\n"))
    }

    @Test func `an unknown patient is refused and nothing is recorded`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        bench.records.script.withLock { $0.memory = nil }
        let turn = bench.turn("hello")
        await #expect(throws: TurnError.unknownPatient(turn.patient)) { _ = try await bench.answer(turn) }
        #expect(bench.journal.events == ["remember"])
    }

    @Test func `a repeat gets the stored reply and another body under its key is refused`() async throws {
        let bench = PipelineBench(says: ["Hello."])
        let first = try await bench.answer("hello").reply
        bench.remember(EarlierAnswer(fingerprint: "", reply: first, message: first.message))
        let again = try await bench.answer(bench.turn("hello", key: "k"))
        #expect(again == Answer(first, isReplay: true))
        let other = bench.turn("something else", key: "k", fingerprint: "other")
        await #expect(throws: TurnError.keyReused("k")) { _ = try await bench.answer(other) }
    }

    @Test func `a turn whose reply was never stored is taken up without a second alert`() async throws {
        let bench = PipelineBench(says: ["Sit down, please."])
        let message = MessageID()
        bench.remember(EarlierAnswer(fingerprint: "", reply: nil, message: message))
        let reply = try await bench.answer("I'm dizzy").reply
        #expect(reply.message == message)
        #expect(reply.alertSent)
        #expect(bench.records.recorded.withLock { $0.isEmpty })
    }

    @Test func `a turn that another replica has recorded is answered though its memory cannot be read`() async throws {
        let bench = PipelineBench(says: ["Sit down, please."])
        bench.records.script.withLock {
            $0.rememberError = .timedOut(after: .milliseconds(500))
            $0.recordError = .keyTaken("k")
        }
        let reply = try await bench.answer(bench.turn("I fell", key: "k")).reply
        #expect(reply.text == "Stay with me. Are you hurt?")
        #expect(reply.degraded == [.memory])
        #expect(reply.alertSent)
        #expect(bench.records.committed.withLock { $0.map(\.reply.message) } == [reply.message])
    }

    @Test func `a turn that is taken up goes on from what was decided, not from the state that it has left`()
        async throws
    {
        let bench = PipelineBench(says: ["You are welcome."])
        let decided = EarlierDecision(level: .high, isAlerted: true, fixedReply: "Stay with me. Are you hurt?")
        bench.remember(EarlierAnswer(fingerprint: "", reply: nil, message: MessageID(), decided: decided))
        let reply = try await bench.answer("no").reply
        #expect(reply.text == "Stay with me. Are you hurt?")
        #expect(reply.level == .high)
        #expect(reply.alertSent)
        #expect(bench.records.recorded.withLock { $0.isEmpty })
    }

    @Test func `a line of ours that ends the model's reply is not cut to a lower cap`() async throws {
        let bench = PipelineBench(says: ["Take another dose."])
        let reply = try await bench.answer(bench.turn("hello", wordCap: 3)).reply
        #expect(reply.text == "Shall I ask your family?")
        #expect(reply.source == .fixed)
    }

    @Test func `two calls with one key are answered once`() async throws {
        let bench = PipelineBench(says: ["Hello."], then: .waits)
        let first = bench.turn("hello", key: "k")
        let one = Task { try await bench.answer(first) }
        _ = await bench.model.asked.value(ifCancelled: false)
        let two = Task.immediate { try await bench.answer(bench.turn("hello", key: "k")) }
        let mismatch = bench.turn("hello", key: "k", fingerprint: "other")
        await #expect(throws: TurnError.keyReused("k")) { _ = try await bench.answer(mismatch) }
        one.cancel()
        two.cancel()
        #expect(await one.result.isFailure)
        #expect(await two.result.isFailure)
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 1)
    }

    @Test func `a caller that hangs up ends the model's stream and not what is recorded`() async throws {
        let bench = PipelineBench(says: ["Sit "], then: .waits)
        let call = Task { try await bench.answer("I'm dizzy") }
        _ = await bench.model.asked.value(ifCancelled: false)
        call.cancel()
        #expect(await call.result.isFailure)
        #expect(bench.model.stopped.isSettled)
        #expect(bench.records.recorded.withLock { $0.map(\.decision.level) } == [.medium])
        #expect(bench.records.committed.withLock { $0.isEmpty })
    }

    @Test func `a prompt that cannot be composed leaves our line`() async throws {
        let reply = try await PipelineBench(says: ["Hello."], promptFails: true).answer("hello?").reply
        #expect(reply.source == .memory)
        #expect(reply.degraded == [.model])
    }

    @Test func `a turn that comes too often is refused, and one that tells of danger is answered by us`() async throws {
        let bench = PipelineBench(says: ["Hello."], admission: AdmissionLimits(patientTurnsPerMinute: 2))
        _ = try await bench.answer("hello")
        _ = try await bench.answer("hello again")
        await #expect(throws: TurnError.rateLimitExceeded(retryAfter: .seconds(30))) {
            _ = try await bench.answer("and again")
        }
        #expect(bench.journal.events.filter { $0 == "remember" }.count == 2)
        let fall = try await bench.answer("I fell").reply
        #expect(fall.text == "Stay with me. Are you hurt?")
        #expect(fall.alertSent)
        let dizzy = try await bench.answer("I'm dizzy").reply
        #expect(dizzy.source == .fixed)
        #expect(dizzy.alertSent)
        #expect(try await bench.answer("yes, a little").reply.source == .memory)
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 2)
    }

    @Test func `where there is no room an ordinary turn is sent away and a fall is answered`() async throws {
        let bench = PipelineBench(
            says: ["Hel"],
            then: .waits,
            admission: AdmissionLimits(turnsAtOnce: 1, turnsWaiting: 0)
        )
        let first = Task { try await bench.answer("hello") }
        _ = await bench.model.asked.value(ifCancelled: false)
        await #expect(throws: TurnError.overloaded) { _ = try await bench.answer("hello again") }
        #expect(try await bench.answer("I fell").reply.alertSent)
        first.cancel()
        _ = await first.result
    }

    @Test func `a turn that waits is refused when its patience ends, and begins when another turn does`() async throws {
        let bench = PipelineBench(
            says: ["Hel"],
            then: .waits,
            admission: AdmissionLimits(turnsAtOnce: 1, turnsWaiting: 1)
        )
        let first = Task { try await bench.answer("hello") }
        _ = await bench.model.asked.value(ifCancelled: false)
        let second = Task { try await bench.answer("hello again") }
        await bench.time.hasSleeper(for: .milliseconds(500))
        bench.time.advance(by: .milliseconds(500))
        await #expect(throws: TurnError.overloaded) { _ = try await second.value }
        let third = Task { try await bench.answer("hello once more") }
        await bench.time.hasSleeper(for: .milliseconds(500))
        first.cancel()
        _ = await first.result
        await bench.time.hasSleeper(for: .seconds(1))
        #expect(bench.journal.events.filter { $0.hasPrefix("ask") }.count == 2)
        third.cancel()
        _ = await third.result
    }

    @Test func `a second call is made for a turn whose first stalls, and both are in its ledger and its account`()
        async throws
    {
        let journal = Journal()
        let stalled = ScriptedModel(journal, name: "first", ["I am"], then: .waits)
        let second = ScriptedModel(journal, name: "second", ["Hello, Rose."])
        let bench = PipelineBench(journal, [stalled, second])
        let turn = bench.turn("hello")
        let answering = Task { try await bench.answer(turn) }
        await bench.time.hasSleeper(for: .seconds(1))
        bench.time.advance(by: .seconds(1))
        let reply = try await answering.value.reply
        #expect(reply.text == "Hello, Rose.")
        #expect(reply.source == .fallbackModel)
        #expect(reply.degraded == [.model])
        #expect(reply.usage == TokenUsage(promptTokens: 20, completionTokens: 10))
        let spans = turn.trace.spans.filter { ["generate", "fallback"].contains($0.stage) }
        #expect(spans.map(\.stage) == ["generate", "fallback"])
        #expect(spans.map(\.outcome) == [.degraded, .ok])
        #expect(spans[0].duration == .seconds(1))
        #expect(spans[0].note.contains("slow"))
    }

    @Test func `no patient text is logged at info or above`() async throws {
        let bench = PipelineBench(says: ["Secret answer."])
        _ = try await bench.answer("my secret message")
        let lines = bench.log.lines.filter { $0.level >= .info }.map(\.json)
        #expect(!lines.isEmpty)
        #expect(!lines.contains { $0.lowercased().contains("secret") })
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
