import Conversation
import Domain
import Evaluation
import Foundation
import Reminders
import Runtime
import Synchronization
import TestSupport
import Testing

/// Promises of the pipeline, whatever its parts do.
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

    @Test func `what the records do not hold only a trusted model may answer`() async throws {
        let says = ["I don't know that. Your pharmacist can tell."]
        let trusted = PipelineBench(says: says, trusts: ["scripted"])
        let reply = try await trusted.answer("did I take my pill?").reply
        #expect(reply.text == says[0])
        #expect(reply.source == .model)
        let doubted = try await PipelineBench(says: says).answer("did I take my pill?").reply
        #expect(doubted.source == .record)
    }

    @Test(arguments: [["You took your pill."], []])
    func `the records answer that they do not know where a model may say nothing`(says: [String]) async throws {
        let reply = try await PipelineBench(says: says, trusts: ["scripted"]).answer("did I take my pill?").reply
        #expect(reply.text == "I don't see that medicine in your records.")
        #expect(reply.source == .record)
    }

    @Test func `what the records hold no model is asked`() async throws {
        let bench = PipelineBench(says: ["I don't know that."], trusts: ["scripted"])
        let patient = Patient(id: bench.patient, tenant: bench.tenant, name: "Rose", timeZone: .gmt)
        let pill = Reminder(
            id: ReminderID(),
            title: "pill",
            kind: .medicine,
            schedule: .once(Date().addingTimeInterval(86_400 * 30))
        )
        bench.records.script.withLock { $0.memory = PatientMemory(patient: patient, reminders: [pill]) }
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
            let isWhole = reply.text == "I don't see that medicine in your records."
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
}
