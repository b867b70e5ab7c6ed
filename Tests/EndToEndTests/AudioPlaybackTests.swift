import Domain
import Foundation
import HTTPClient
import Runtime
import TestSupport
import Testing

/// The spoken reply of a real service in a real Chromium.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct AudioPlaybackTests {
    @Test func `a browser plays a reply to its end, from its middle as well`() async throws {
        let model = ScriptedModelServer { _ in .reply("Roses are lovely.") }
        defer { model.stop() }
        let hearth = try await HearthProcess.up(["HEARTH_LLM_URL": model.url, "HEARTH_LLM_MODEL": "scripted"])
        let body =
            ["user_id": DemoHousehold.patient.id.description, "text": "I planted roses", "tts": true] as [String: Any]
        let answer = try await hearth.post("/functions/v1/ask", JSONSerialization.data(withJSONObject: body))
        #expect(answer.status == 200 && answer.json["response_text"].text == "Roses are lovely.")
        let url = try #require(answer.json["audio_url"].text)
        #expect(url.hasPrefix(hearth.address + "/v1/audio/") && url.hasSuffix(".mp3"))
        try await withBrowser { browser in
            try await browser.go(to: "data:text/html,<title>sound</title><h1>sound</h1>")
            try await browser.run(
                """
                window.sound = new Audio(arguments[0]);
                window.sound.muted = true;
                window.fault = "";
                window.sound.addEventListener("error", () => { window.fault = String(window.sound.error?.message); });
                window.sound.play().catch((error) => { window.fault = String(error); });
                """,
                .string(url)
            )
            try await browser.wait(until: "window.sound.ended || window.fault", for: .seconds(20))
            #expect(try await browser.run("return window.fault") == "")
            #expect(
                try await browser.run("return window.sound.currentTime > 0.5 && window.sound.duration < 10") == true
            )
            #expect(try await browser.run("return window.sound.webkitAudioDecodedByteCount > 0") == true)
            try await browser.run("window.sound.currentTime = window.sound.duration / 2; window.sound.play()")
            try await browser.wait(until: "window.sound.ended", for: .seconds(20))
            let broken = url.replacing("/v1/audio/", with: "/v1/audio/A")
            try await browser.run(
                """
                window.fault = "";
                const other = new Audio(arguments[0]);
                other.addEventListener("error", () => { window.fault = "refused"; });
                other.load();
                """,
                .string(broken)
            )
            try await browser.wait(until: "window.fault === 'refused'", for: .seconds(20))
        }
        #expect(await hearth.stop() == 0)
    }
}
