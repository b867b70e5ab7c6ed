import Domain
import Foundation
import Runtime
import Speech
import TestSupport
import Testing

/// Share of cached sound on a simulated day of two replicas.
@Suite(.timeLimit(.minutes(2)))
struct SpeechDayTests {
    private static let canned = [
        "Good morning! Did you sleep well?", "I am here with you.", "Shall I tell your family?", "Tell me more.",
    ]
    private static let reminders = [
        "your blue pill", "lunch", "a glass of water", "your walk", "dinner", "a call", "bed",
    ]

    /// Every place at which sound was needed, and whether it was made already.
    private struct Day {
        var pushes = (ready: 0, all: 0)
        var fetches = (ready: 0, all: 0)
        var replies = (ready: 0, all: 0)
    }

    private func share(_ count: (ready: Int, all: Int)) -> Double { Double(count.ready) / Double(max(1, count.all)) }

    @Test func `pushes and fetches find their sound, and replies that were said before do as well`() async throws {
        let (patients, tenant, time) = ((0..<100).map { _ in PatientID() }, TenantID(), VirtualTime())
        let (records, engine) = (InMemorySpeech(knowing: Set(patients)), ScriptedSpeech())
        let replicas = (0..<2).map { _ in
            SpeechLibrary(
                engine,
                records,
                links: SpeechLinks(secret: Array(repeating: 1, count: 32), base: ""),
                settings: .init(memoryBytes: 64 << 10),
                figures: SpeechMetrics(in: Metrics()),
                log: Log(to: MemoryLogSink()),
                time: time
            )
        }
        var random = SeededGenerator(seed: 21)
        var day = Day()
        func hear(_ text: String, _ patient: PatientID, _ count: WritableKeyPath<Day, (ready: Int, all: Int)>) async {
            let before = engine.made.count
            let replica = replicas[Int.random(in: 0..<2, using: &random)]
            let far = Deadline(after: .seconds(20), from: time.now)
            let link = await replica.link(to: text, in: "en", voice: nil, for: patient, tenant: tenant, by: far)
            day[keyPath: count].all += 1
            if engine.made.count == before { day[keyPath: count].ready += 1 }
            let token = link?.split(separator: "/").last.map(String.init) ?? ""
            let other = replicas[Int.random(in: 0..<2, using: &random)]
            let opened = await other.open(token, by: Deadline(after: .seconds(20), from: time.now))
            day.fetches.all += 1
            if case .clip = opened, engine.made.count <= before + 1 { day.fetches.ready += 1 }
        }
        for number in 0..<2 {
            day = Day()
            for (place, patient) in patients.enumerated() {
                for title in Self.reminders {
                    let words = "Person \(place), it is time for \(title)."
                    await replicas[place % 2].prepare(words, in: "en", for: patient, tenant: tenant)
                    let count = { engine.made.contains { $0.text == words } }
                    try await eventually { count() }
                    await hear(words, patient, \.pushes)
                }
                await hear("Good morning from all of us! Day \(number).", patient, \.pushes)
                for turn in 0..<10 {
                    let isCanned = turn % 3 == 0
                    let reply = isCanned ? Self.canned[turn % 4] : "Day \(number): what \(place) said, \(turn)."
                    await hear(reply, patient, \.replies)
                }
            }
        }
        print("speech, second day: pushes \(day.pushes), fetches \(day.fetches), replies \(day.replies)")
        #expect(share(day.pushes) >= 0.9)
        #expect(share(day.fetches) >= 0.9)
        #expect(share(day.replies) > 0.3, "what was said before is not made again")
    }
}
