import Domain
import Foundation
import HTTPClient
import Runtime
import Speech
import TestSupport
import Testing

/// Speech by another service, over real HTTP: what is sent, what is taken, and what is refused.
@Suite(.timeLimit(.minutes(1)))
struct HostedSpeechTests {
    private static let sound: [UInt8] = [0xFF, 0xF3, 0x40, 0xC4, 0x00]
    private static let words = Speech("Hello \"Rosa\"\n👵🏽", in: "en", voice: "onyx", speed: 150)

    private func with(
        key: String? = nil,
        concurrency: Int = 4,
        _ script: @escaping @Sendable (RawServerConnection) -> Void,
        run body: (HostedSpeech) async throws -> Void
    ) async throws {
        let server = RawServer(script)
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops)
        let settings = HostedSpeech.Settings(
            url: server.url + "/v1",
            model: "tts-1",
            key: key,
            concurrency: concurrency
        )
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(HostedSpeech(settings, over: client))) } catch {
            outcome = .failure(error)
        }
        server.stop()
        await client.drain(by: .soon)
        loops.stop()
        try outcome.get()
    }

    private static func answer(
        _ connection: RawServerConnection,
        status: String = "200 OK",
        type: String? = "audio/mpeg",
        _ body: [UInt8] = sound,
        length: Int? = nil
    ) {
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        connection.send("HTTP/1.1 \(status)\r\n\(field)Content-Length: \(length ?? body.count)\r\n\r\n")
        connection.send(body)
    }

    @Test func `the call names model, words, voice, speed, form and key`() async throws {
        let seen = OneShot<RawServerRequest?>()
        try await with(key: "secret") { connection in
            seen.settle(connection.readRequest())
            Self.answer(connection)
        } run: { engine in
            let clip = try await engine.speak(Self.words, by: .soon)
            #expect(clip == SpeechClip(mediaType: "audio/mpeg", bytes: Self.sound))
        }
        let request = try #require(await seen.value(ifCancelled: nil))
        #expect(request.line == "POST /v1/audio/speech HTTP/1.1")
        #expect(request.values("authorization") == ["Bearer secret"])
        let body = try JSONReader.read(request.body)
        #expect(body["model"] == "tts-1" && body["input"]?.string == Self.words.text && body["voice"] == "onyx")
        #expect(body["response_format"] == "mp3" && body["speed"]?.text == "1.5")
    }

    @Test func `without a key none is sent, and a type with a parameter is sound`() async throws {
        let seen = OneShot<RawServerRequest?>()
        try await with { connection in
            seen.settle(connection.readRequest())
            Self.answer(connection, type: "Audio/MPEG; rate=24000")
        } run: { engine in
            let clip = try await engine.speak(Self.words, by: .soon)
            #expect(clip.bytes == Self.sound)
        }
        #expect(try #require(await seen.value(ifCancelled: nil)).values("authorization") == [])
    }

    @Test(arguments: ["401 Unauthorized", "429 Too Many Requests", "500 Internal Server Error", "204 No Content"])
    func `another status is no sound`(status: String) async throws {
        try await with { connection in
            while connection.readRequest() != nil { Self.answer(connection, status: status, []) }
        } run: { engine in
            let code = try #require(status.split(separator: " ").first)
            await #expect(throws: SpeechFailure.unavailable(reason: "the service answered with status \(code)")) {
                _ = try await engine.speak(Self.words, by: .soon)
            }
        }
    }

    @Test(arguments: ["application/json", "text/html", "audio/wav", "audio", ""])
    func `another type is no sound`(type: String) async throws {
        try await with { connection in
            while connection.readRequest() != nil { Self.answer(connection, type: type.isEmpty ? nil : type) }
        } run: { engine in
            await #expect(throws: SpeechFailure.refused(reason: "the service's answer is no MP3")) {
                _ = try await engine.speak(Self.words, by: .soon)
            }
        }
    }

    @Test func `an empty body, one that breaks off and one that is too long are no sound`() async throws {
        try await with { connection in
            guard connection.readRequest() != nil else { return }
            switch connection.number {
            case 1: Self.answer(connection, [])
            case 2: Self.answer(connection, length: HostedSpeech.mostBytes + 1)
            default: Self.answer(connection, length: 100)
            }
        } run: { engine in
            for _ in 0..<3 {
                await #expect(throws: SpeechFailure.self) { _ = try await engine.speak(Self.words, by: .soon) }
            }
        }
    }

    @Test func `a service that does not answer in time, or is not there, is named`() async throws {
        try await with { connection in
            _ = connection.readRequest()
            _ = connection.waitForClientToLeave()
        } run: { engine in
            await #expect(throws: SpeechFailure.expired) {
                _ = try await engine.speak(Self.words, by: Deadline(after: .milliseconds(100)))
            }
        }
        let loops = EventLoopGroup(count: 1)
        let client = HTTPClient(on: loops)
        let nowhere = HostedSpeech(.init(url: "http://127.0.0.1:9", model: "m"), over: client)
        await #expect(throws: SpeechFailure.unavailable(reason: "nothing listens there")) {
            _ = try await nowhere.speak(Self.words, by: .soon)
        }
        await client.drain(by: .soon)
        loops.stop()
    }

    @Test func `more requests than are allowed at once are refused`() async throws {
        let asked = OneShot<Bool>()
        try await with(concurrency: 1) { connection in
            asked.settle(connection.readRequest() != nil)
            _ = connection.waitForClientToLeave()
        } run: { engine in
            let first = Task { try await engine.speak(Self.words, by: .soon) }
            #expect(await asked.value(ifCancelled: false))
            await #expect(throws: SpeechFailure.busy) { _ = try await engine.speak(Self.words, by: .soon) }
            first.cancel()
            await #expect(throws: SpeechFailure.cancelled) { _ = try await first.value }
        }
    }
}
