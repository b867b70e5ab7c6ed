import Evaluation
import Foundation
import TestSupport
import Testing

/// The page of a run in a browser: Chromium without a screen, as `scripts/test-packages.txt` brings it.
@Suite(.timeLimit(.minutes(3)), .serialized) struct ReportPageTests {
    /// The page as a browser laid it out.
    private struct Page {
        let document: String
        /// Complaints of scripts, the policy and the network.
        let complaints: [Substring]
        /// Widths of the content and the window.
        let widths: [Int]

        var shown: String? { document.firstMatch(of: /<output[^>]*>([^<]*)<\/output>/).map { String($0.1) } }

        var visible: Int {
            document.matches(of: /<details class="fixture"[^>]*>/).count { !$0.0.contains("hidden") }
        }
    }

    private static let ruler = """
        <script>document.body.dataset.widths=document.documentElement.scrollWidth+" "+innerWidth</script></body>
        """

    private func html(failing: Int) async throws -> String {
        let tests = (0..<12).map {
            "{id: case-\($0), given: {model: \($0 < failing ? "How are you?" : "How is your lovely garden?")}, vars: {message: I was dizzy}, assert:"
                + " [{type: alert-level, value: {min: low}}, {type: contains, value: lovely}]}"
        }
        let fixtures = try ShippedParts.suite("suite: page\ntests: [\(tests.joined(separator: ",\n"))]\n")
        let scratch = try ScratchFolder()
        let (base, _, basePath) = try await ShippedParts.run(fixtures, in: scratch)
        let (run, _, path) = try await ShippedParts.run(fixtures, in: scratch)
        let report = RunReport(
            run: run,
            details: try RunDetails(RunFile(path)),
            findings: RunGate().findings(of: run.tally, run.end),
            comparison: RunComparison(base: base, candidate: run),
            baseDetails: try RunDetails(RunFile(basePath))
        )
        return ReportFormat.html.text(of: report)
    }

    /// Opens a page in a window of some width, with a fragment that sets its filters.
    private func open(_ html: String, _ fragment: String = "", width: Int = 1_200) throws -> Page {
        let scratch = try ScratchFolder()
        let file = scratch.path("page.html")
        try html.replacing("</body>", with: Self.ruler).write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = [
            "60", "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--enable-logging=stderr", "--user-data-dir=\(scratch.path("profile"))", "--window-size=\(width),900",
            "--dump-dom", "file://\(file)\(fragment)",
        ]
        let errors = scratch.path("errors")
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        let document = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let log = try String(contentsOfFile: errors, encoding: .utf8)
        let widths = document.firstMatch(of: /data-widths="([0-9]+) ([0-9]+)"/).map {
            [$0.1, $0.2].compactMap { Int($0) }
        }
        return Page(
            document: document,
            complaints: log.split(separator: "\n").filter { $0.contains("CONSOLE") },
            widths: widths ?? []
        )
    }

    @Test func `it shows every fixture, complains of nothing, and is as wide as the window`() async throws {
        let html = try await html(failing: 0)
        for width in [1_200, 500] {
            let page = try open(html, width: width)
            #expect(page.shown == "12 of 12" && page.visible == 12, "\(page.document.suffix(500))")
            #expect(page.complaints.isEmpty, "\(page.complaints)")
            #expect(page.widths.count == 2 && page.widths[0] <= page.widths[1], "\(page.widths)")
        }
    }

    @Test func `it begins with what is wrong, and filters by suite, outcome and words`() async throws {
        let html = try await html(failing: 2)
        let cases: [(String, Int)] = [
            ("", 2), ("#outcome=", 12), ("#outcome=pass", 10), ("#outcome=&search=case-11", 1),
            ("#outcome=&suite=page", 12),
            ("#outcome=&severity=critical", 0), ("#outcome=skipped", 0),
        ]
        for (fragment, count) in cases {
            let page = try open(html, fragment)
            #expect(page.shown == "\(count) of 12" && page.visible == count, "\(fragment)")
            #expect(page.complaints.isEmpty, "\(page.complaints)")
        }
    }

    @Test func `a page whose script fails is noticed`() async throws {
        let broken = try await html(failing: 0).replacing("apply();</script>", with: "nothing.here();</script>")
        #expect(!(try open(broken).complaints.isEmpty))
    }
}
