import Domain
import Foundation
import Runtime
import Speech
import TestSupport
import Testing

/// Links to sound: found in memory, in the records, or made.
@Suite(.timeLimit(.minutes(1)))
struct SpeechLibraryTests {
    private struct Bench {
        let engine = ScriptedSpeech()
        let records: InMemorySpeech
        let patient = PatientID()
        let other = PatientID()
        let tenant = TenantID()
        let time = VirtualTime()

        init() { records = InMemorySpeech(knowing: [patient, other]) }

        func library(_ settings: SpeechLibrary.Settings = .init()) -> SpeechLibrary {
            SpeechLibrary(
                engine,
                records,
                links: SpeechLinks(secret: Array(repeating: 1, count: 32), base: "http://h"),
                settings: settings,
                figures: SpeechMetrics(in: Metrics()),
                log: Log(to: MemoryLogSink()),
                time: time
            )
        }

        func link(
            _ library: SpeechLibrary,
            _ text: String = "Hello",
            voice: String? = nil,
            for patient: PatientID? = nil,
            wait: Duration = .seconds(20)
        ) async -> String? {
            await library.link(
                to: text,
                in: "en",
                voice: voice,
                for: patient ?? self.patient,
                tenant: tenant,
                by: Deadline(after: wait, from: time.now)
            )
        }

        func open(_ library: SpeechLibrary, _ link: String?) async -> OpenedSpeech {
            let token = link?.split(separator: "/").last.map(String.init) ?? ""
            return await library.open(token, by: Deadline(after: .seconds(20), from: time.now))
        }

        func text(_ opened: OpenedSpeech) -> String? {
            guard case .clip(let clip) = opened else { return nil }
            return String(decoding: clip.bytes, as: UTF8.self)
        }
    }

    @Test func `words are made once, and found again by their words, voice and speed`() async throws {
        let bench = Bench()
        let library = bench.library()
        let link = await bench.link(library)
        #expect(bench.text(await bench.open(library, link)) == "nova 100 en: Hello")
        #expect(await bench.link(library) == link)
        #expect(await bench.link(library, for: bench.other) == link, "another patient hears the same")
        #expect(bench.engine.made.count == 1)
        let others = [await bench.link(library, "Hi"), await bench.link(library, voice: "onyx")]
        #expect(Set(others + [link]).count == 3)
        #expect(bench.engine.made.count == 3)
    }

    @Test func `another replica finds what one has made, and makes what one has only promised`() async throws {
        let bench = Bench()
        let (one, two, three) = (bench.library(), bench.library(), bench.library())
        let link = await bench.link(one)
        #expect(bench.text(await bench.open(two, link)) == "nova 100 en: Hello")
        #expect(bench.engine.made.count == 1)
        bench.engine.fail(.unavailable(reason: "away"))
        let promised = await bench.link(three, "Later", wait: .zero)
        #expect(promised != nil)
        try await eventually { bench.engine.made.count == 2 }
        bench.engine.fail(nil)
        #expect(bench.text(await bench.open(two, promised)) == "nova 100 en: Later")
    }

    @Test func `a link is given at once, and whoever opens it early waits`() async throws {
        let bench = Bench()
        let library = bench.library()
        bench.engine.hold()
        let link = await bench.link(library, wait: .zero)
        #expect(link != nil)
        async let opened = bench.open(library, link)
        try await eventually { bench.engine.made.count == 1 }
        bench.engine.release()
        #expect(bench.text(await opened) == "nova 100 en: Hello")
        #expect(bench.engine.made.count == 1)
    }

    @Test func `who waits too long is told to ask again`() async throws {
        let bench = Bench()
        let library = bench.library()
        bench.engine.hold()
        let link = await bench.link(library, wait: .milliseconds(20))
        let token = String(try #require(link?.split(separator: "/").last))
        let opened = await library.open(token, by: Deadline(after: .milliseconds(50), from: bench.time.now))
        #expect(opened == .notReady)
        bench.engine.release()
    }

    @Test(arguments: [SpeechFailure.unavailable(reason: "away"), .refused(reason: "no"), .busy])
    func `words that cannot be made have no link`(failure: SpeechFailure) async throws {
        let bench = Bench()
        let library = bench.library()
        bench.engine.fail(failure)
        #expect(await bench.link(library) == nil)
        let isDown = if case .unavailable = failure { true } else { false }
        #expect((library.readiness.state == .degraded) == isDown)
        if isDown { #expect(await bench.link(library, "Hi", wait: .zero) == nil, "the engine is known to be away") }
        bench.engine.fail(nil)
        #expect(await bench.link(library) != nil)
        #expect(library.readiness.state == .ready)
    }

    @Test func `a stranger and a record that is away have no link`() async throws {
        let bench = Bench()
        let library = bench.library()
        #expect(await bench.link(library, for: PatientID()) == nil)
        bench.records.fail(.overloaded(waiting: 1))
        #expect(await bench.link(library) == nil)
        #expect(bench.engine.made.isEmpty)
        bench.records.fail(nil)
        let link = await bench.link(library)
        bench.records.fail(.overloaded(waiting: 1))
        #expect(bench.text(await bench.open(library, link)) != nil, "memory needs no records")
        #expect(await bench.open(bench.library(), link) == .notReady)
    }

    @Test func `an erased patient's words are gone from memory and records, another's stay`() async throws {
        let bench = Bench()
        let library = bench.library()
        let own = await bench.link(library, "Maggie, your pill")
        let shared = await bench.link(library, "Good morning")
        _ = await bench.link(library, "Good morning", for: bench.other)
        bench.records.erase(bench.patient)
        try await library.erase(bench.patient, of: bench.tenant, by: .soon)
        #expect(await bench.open(library, own) == .gone)
        #expect(bench.text(await bench.open(library, shared)) == "nova 100 en: Good morning")
        #expect(await bench.link(library, "Again") == nil)
    }

    @Test func `an erased patient's sound in flight is kept nowhere`() async throws {
        let bench = Bench()
        let library = bench.library()
        bench.engine.hold()
        async let link = bench.link(library, "Maggie, your pill")
        try await eventually { bench.engine.made.count == 1 }
        bench.records.erase(bench.patient)
        try await library.erase(bench.patient, of: bench.tenant, by: .soon)
        bench.engine.release()
        let made = await link
        #expect(await bench.open(library, made) == .gone, "neither memory nor the records have it")
        bench.engine.hold()
        async let other = bench.link(library, "Good morning", for: bench.other)
        try await eventually { bench.engine.made.count == 2 }
        try await library.erase(bench.patient, of: bench.tenant, by: .soon)
        bench.engine.release()
        let calls = (await other, bench.records.calls)
        #expect(bench.text(await bench.open(library, calls.0)) != nil)
        #expect(bench.records.calls == calls.1, "another patient's sound in flight stays in memory")
    }

    @Test func `patients who are to hear the same wait for one sound, and each is noted`() async throws {
        let bench = Bench()
        let library = bench.library(.init(concurrency: 3))
        bench.engine.hold()
        async let own = bench.link(library)
        try await eventually { bench.engine.made.count == 1 }
        async let others = bench.link(library, for: bench.other)
        async let strangers = bench.link(library, for: PatientID())
        let prepared = Task {
            await library.prepare("Hello", in: "en", for: bench.other, tenant: bench.tenant)
        }
        await prepared.value
        bench.engine.release()
        let links = (await own, await others)
        #expect(links.0 != nil && links.0 == links.1)
        #expect(await strangers == nil)
        #expect(bench.engine.made.count == 1)
        bench.records.erase(bench.patient)
        try await library.erase(bench.patient, of: bench.tenant, by: .soon)
        #expect(bench.text(await bench.open(library, links.1)) != nil, "the other patient is noted")
    }

    @Test func `what is used from memory every day is not trimmed first`() async throws {
        let bench = Bench()
        let library = bench.library()
        let links = [await bench.link(library, "used"), await bench.link(library, "once")]
        bench.time.advance(by: .seconds(3601))
        #expect(bench.text(await bench.open(library, links[0])) != nil)
        try await eventually { bench.records.calls == 5 }
        #expect(bench.text(await bench.open(library, links[0])) != nil)
        #expect(bench.records.calls == 5, "once an hour")
        #expect(try await bench.records.trimSpeech(to: 300, by: .soon) == 1)
        let another = bench.library()
        #expect(bench.text(await bench.open(another, links[0])) != nil)
        #expect(await bench.open(another, links[1]) == .gone)
    }

    @Test func `what is not signed or has expired opens nothing`() async throws {
        let bench = Bench()
        let library = bench.library()
        let link = await bench.link(library)
        #expect(await bench.open(library, "http://h/v1/audio/AAAA.mp3") == .invalidLink)
        bench.time.advance(by: .seconds(26 * 3600))
        #expect(await bench.open(library, link) == .invalidLink)
    }

    @Test func `memory is bounded, and the records still have what memory dropped`() async throws {
        let bench = Bench()
        let library = bench.library(.init(memoryBytes: 1200))
        let links = [
            await bench.link(library, "one"), await bench.link(library, "two"), await bench.link(library, "three"),
        ]
        let calls = bench.records.calls
        #expect(bench.text(await bench.open(library, links[2])) != nil)
        #expect(bench.records.calls == calls, "the newest is in memory")
        #expect(bench.text(await bench.open(library, links[0])) != nil)
        #expect(bench.records.calls > calls)
        #expect(bench.engine.made.count == 3)
    }

    @Test func `what is made ahead never takes the place of what is asked for`() async throws {
        let bench = Bench()
        let library = bench.library(.init(concurrency: 4, aheadConcurrency: 2))
        bench.engine.hold()
        for number in 0..<10 { await library.prepare("\(number)", in: "en", for: bench.patient, tenant: bench.tenant) }
        try await eventually { bench.engine.made.count == 2 }
        async let asked = bench.link(library, "asked")
        try await eventually { bench.engine.made.count == 3 }
        bench.engine.release()
        #expect(await asked != nil)
        #expect(bench.engine.made.count == 3)
    }

    @Test func `a full library gives no link`() async throws {
        let bench = Bench()
        let library = bench.library(.init(concurrency: 1))
        bench.engine.hold()
        #expect(await bench.link(library, "first", wait: .zero) != nil)
        try await eventually { bench.engine.made.count == 1 }
        #expect(await bench.link(library, "second", wait: .zero) == nil)
        bench.engine.release()
    }
}
