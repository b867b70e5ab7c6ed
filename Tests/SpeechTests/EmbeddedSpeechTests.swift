import Domain
import Runtime
import Speech
import TestSupport
import Testing

/// Words spoken by espeak-ng and encoded by LAME.
@Suite(.timeLimit(.minutes(2)))
struct EmbeddedSpeechTests {
    private let engine = EmbeddedSpeech()

    private func clip(
        _ text: String,
        in language: String = "en",
        voice: String = "nova",
        speed: Int = 100
    ) async throws -> SpeechClip {
        try await engine.speak(Speech(text, in: language, voice: voice, speed: speed), by: .soon)
    }

    /// Seconds of sound at 48 kbit/s.
    private func seconds(_ clip: SpeechClip) -> Double { Double(clip.bytes.count) / 6_000 }

    @Test func `words become MP3 of about the time in which they are said`() async throws {
        let clip = try await clip("Good morning, Maggie. It is time for your blue pill.")
        #expect(clip.mediaType == "audio/mpeg")
        #expect(clip.bytes[0] == 0xFF && clip.bytes[1] & 0xE6 == 0xE2, "an MPEG frame of layer III begins")
        #expect((2.0...8.0).contains(seconds(clip)))
    }

    /// True if two sounds last equally long; the library adds a little noise of its own to each.
    private func areAlike(_ one: SpeechClip, _ other: SpeechClip) -> Bool {
        abs(seconds(one) - seconds(other)) < 0.06
    }

    @Test func `the same words last equally long, also when many are spoken at once`() async throws {
        let alone = try await clip("Time for a walk.")
        let together = await withTaskGroup(of: SpeechClip?.self) { group in
            for number in 0..<12 {
                group.addTask { try? await clip(number % 2 == 0 ? "Time for a walk." : "Drink a glass of water.") }
            }
            return await group.reduce(into: [SpeechClip]()) { $0 += [$1].compactMap { $0 } }
        }
        #expect(together.count == 12)
        #expect(together.filter { areAlike($0, alone) }.count == 6)
    }

    @Test func `every voice speaks, and the speed is heard`() async throws {
        let words = "Susan, hora de cenar"
        let plain = try await clip(words)
        for voice in Speech.voices { #expect(try await seconds(clip(words, in: "es-MX", voice: voice)) > 0.5) }
        let slow = try await clip(words, speed: 60)
        let fast = try await clip(words, speed: 180)
        #expect(seconds(slow) > seconds(plain) && seconds(plain) > seconds(fast))
    }

    @Test func `marks in the words are spoken as words and change nothing else`() async throws {
        let markup = try await clip("Wait <break time=\"60s\"/> here [[hh]] now")
        #expect(seconds(markup) < 15)
        #expect(areAlike(try await clip("Hello\0 there"), try await clip("Hello there")))
    }

    @Test(arguments: ["", " ", "\n", "\0"])
    func `what makes no sound is refused`(text: String) async {
        await #expect(throws: SpeechFailure.self) { _ = try await clip(text) }
    }

    @Test func `a deadline that has passed makes nothing`() async {
        await #expect(throws: SpeechFailure.expired) {
            _ = try await engine.speak(Speech("Hello", in: "en", voice: "nova", speed: 100), by: Deadline(.now))
        }
    }

    @Test func `more words than may wait are refused, and the others are spoken`() async {
        let long = String(repeating: "one two three four five ", count: 40)
        let outcomes = await withTaskGroup(of: SpeechFailure?.self) { group in
            for number in 0..<300 {
                group.addTask {
                    do throws(SpeechFailure) {
                        let speech = Speech("\(number) \(long)", in: "en", voice: "nova", speed: 100)
                        _ = try await engine.speak(speech, by: Deadline(after: .seconds(2)))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [SpeechFailure?]()) { $0.append($1) }
        }
        #expect(outcomes.contains(.busy) && outcomes.contains(.expired) && outcomes.contains(nil))
    }

    @Test func `words, voices, languages and speeds are kept within what is spoken`() {
        let speech = Speech(String(repeating: "a", count: 5000), in: "fr", voice: "robot", speed: 9000)
        #expect(speech.text.count == 1000 && speech.language == "en" && speech.voice == "nova" && speech.speed == 200)
        #expect(Speech("a", in: "es_ES", voice: "onyx", speed: 1).language == "es")
        #expect(Speech("a", in: "", voice: "onyx", speed: 1).speed == 50)
    }
}
