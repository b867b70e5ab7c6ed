import Foundation
import HTTPClient
package import Runtime

/// A headless Chromium, controlled by the WebDriver protocol (W3C) over our own client.
package struct Browser: Sendable {
    /// A look of a page.
    package struct View: Sendable, CustomStringConvertible {
        /// Width and height in CSS pixels.
        package let size: (width: Int, height: Int)
        /// True if the reader prefers dark colours.
        package let isDark: Bool

        /// A desktop: 1440 by 900.
        package static func desktop(isDark: Bool = false) -> View { View(size: (1440, 900), isDark: isDark) }
        /// A phone: 390 by 844.
        package static func phone(isDark: Bool = false) -> View { View(size: (390, 844), isDark: isDark) }
        /// Both widths in both schemes.
        package static let all = [desktop(), desktop(isDark: true), phone(), phone(isDark: true)]

        package var description: String { "\(size.width)-\(isDark ? "dark" : "light")" }
    }

    private static let elementKey = "element-6066-11e4-a52e-4f735466cecf"

    private let client: HTTPClient
    private let session: String
    /// The number of the browser's process, which takes its own children with it.
    private let process: Int32

    /// Begins a session of a driver that runs.
    init(_ client: HTTPClient, port: Int, profile: String) async throws {
        self.client = client
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
            "--user-data-dir=\(profile)",
        ]
        let capabilities: JSONValue = [
            "capabilities": [
                "alwaysMatch": [
                    "browserName": "chrome", "goog:loggingPrefs": ["browser": "ALL"],
                    "goog:chromeOptions": ["binary": "/usr/bin/chromium", "args": .strings(arguments)],
                    "timeouts": ["script": 30_000, "pageLoad": 60_000],
                ]
            ]
        ]
        let answer = try await Self.call(client, .post, "http://127.0.0.1:\(port)/session", capabilities)
        guard let id = answer["sessionId"]?.string, let process = answer["capabilities"]?["goog:processID"]?.integer
        else {
            throw BrowserFailure.refused(command: "session", answer: answer.text)
        }
        self.process = Int32(process)
        session = "http://127.0.0.1:\(port)/session/\(id)"
    }

    /// Ends the browser: by its driver, or by its process when the driver does not.
    func quit() async {
        do {
            _ = try await Self.call(client, .delete, session, nil)
        } catch {
            kill(process, SIGKILL)
        }
    }

    /// Opens an address and waits until it has been loaded.
    package func go(to url: String) async throws {
        try await command("url", ["url": .string(url)])
    }

    /// The address that is open.
    package var address: String {
        get async throws { try await Self.call(client, .get, "\(session)/url", nil).string ?? "" }
    }

    /// Looks at pages in another way from now on.
    package func look(_ view: View) async throws {
        try await devtools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(view.size.width), "height": .integer(view.size.height), "deviceScaleFactor": 1,
                "mobile": .bool(view.size.width < 600),
            ]
        )
        let scheme: JSONValue = ["name": "prefers-color-scheme", "value": view.isDark ? "dark" : "light"]
        try await devtools("Emulation.setEmulatedMedia", ["features": [scheme]])
    }

    /// Takes the network away from pages, or gives it back.
    package func setOffline(_ isOffline: Bool) async throws {
        try await devtools("Network.enable", .object([]))
        try await devtools(
            "Network.emulateNetworkConditions",
            ["offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1]
        )
    }

    /// Runs a script in every page that is opened from now on, before the page's own.
    package func prepare(_ script: String) async throws {
        try await devtools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Runs a function's body in the page and returns what it returns.
    @discardableResult
    package func run(_ script: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await command("execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Waits until an expression is true in the page that is open.
    ///
    /// Each check is a command of its own, so that the page may be left meanwhile; a failed check counts as false.
    package func wait(until expression: String, for patience: Duration = .seconds(40)) async throws {
        let deadline = Deadline(after: patience)
        let look = "try { return Boolean(\(expression)); } catch { return false; }"
        while !deadline.hasPassed() {
            if let answer = try? await run(look), answer == true { return }
            try await SystemTime().sleep(until: .now + .milliseconds(20))
        }
        let page = try await run("return document.body.innerText").string ?? ""
        throw BrowserFailure.absent(expression, page: page)
    }

    /// Clicks what a selector finds first, and waits for the page that it may lead to.
    ///
    /// It is first scrolled to the middle, where nothing that sticks to an edge covers it.
    package func click(_ selector: String) async throws {
        let scroll = "document.querySelector(arguments[0])?.scrollIntoView({block: 'center', behavior: 'instant'})"
        try await run(scroll, .string(selector))
        try await command("element/\(try await element(selector))/click", .object([]))
    }

    /// Types text into what a selector finds first.
    package func type(_ text: String, into selector: String) async throws {
        try await command("element/\(try await element(selector))/value", ["text": .string(text)])
    }

    /// Presses keys one after the other, wherever the focus is; special ones by their code points in the protocol.
    package func press(_ keys: String) async throws {
        let actions = keys.flatMap { key -> [JSONValue] in
            [
                ["type": "keyDown", "value": .string(String(key))], ["type": "keyUp", "value": .string(String(key))],
            ]
        }
        let source: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(actions)]
        try await command("actions", ["actions": [source]])
    }

    /// Writes the whole page to a PNG file, as far as it has to be scrolled; makes the folder.
    package func shoot(to path: String) async throws {
        try await run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        let picture = try await devtools("Page.captureScreenshot", ["captureBeyondViewport": true])["data"]?.string
        guard let picture, let data = Data(base64Encoded: picture) else {
            throw BrowserFailure.refused(command: "screenshot", answer: "no picture")
        }
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// Lines of the page's console since the last call.
    package func complaints() async throws -> [String] {
        let entries = try await command("se/log", ["type": "browser"])
        return (entries.array ?? []).compactMap { entry in
            guard let level = entry["level"]?.string, level != "INFO", level != "DEBUG" else { return nil }
            return "\(level): \(entry["message"]?.string ?? "")"
        }
    }

    private func element(_ selector: String) async throws -> String {
        let found = try await command("element", ["using": "css selector", "value": .string(selector)])
        guard let id = found[Self.elementKey]?.string else {
            throw BrowserFailure.refused(command: "element \(selector)", answer: found.text)
        }
        return id
    }

    @discardableResult
    private func devtools(_ method: String, _ parameters: JSONValue) async throws -> JSONValue {
        try await command("goog/cdp/execute", ["cmd": .string(method), "params": parameters])
    }

    @discardableResult
    private func command(_ name: String, _ body: JSONValue) async throws -> JSONValue {
        try await Self.call(client, .post, "\(session)/\(name)", body)
    }

    private static func call(
        _ client: HTTPClient,
        _ method: OutgoingRequest.Method,
        _ url: String,
        _ body: JSONValue?
    ) async throws -> JSONValue {
        let headers = HeaderFields(["Content-Type": "application/json"])
        let request = OutgoingRequest(method, url, headers: headers, body: body?.bytes ?? [])
        let response = try await client.send(request, by: Deadline(after: .seconds(70)))
        let bytes = try await response.collect(upTo: 32 << 20)
        guard response.status == 200, let value = try JSONReader.read(bytes)["value"] else {
            throw BrowserFailure.refused(command: url, answer: String(decoding: bytes.prefix(2_000), as: UTF8.self))
        }
        return value
    }
}

/// Runs a test with a browser of its own, ended when the test has.
package func withBrowser(_ body: (Browser) async throws -> Void) async throws {
    let loops = EventLoopGroup(count: 1)
    var settings = HTTPClientSettings()
    settings.proxy = ProxySettings(environment: [:])
    let client = HTTPClient(on: loops, settings)
    let profile = FileManager.default.temporaryDirectory.appending(path: "hearth-browser-\(UUID())").path
    let driver = try BrowserDriver.start()
    let outcome: Result<Void, any Error>
    do {
        let browser = try await Browser(client, port: driver.port, profile: profile)
        do {
            outcome = .success(try await body(browser))
        } catch {
            outcome = .failure(error)
        }
        await browser.quit()
    } catch {
        outcome = .failure(error)
    }
    driver.stop()
    await client.drain(by: Deadline(after: .zero))
    loops.stop()
    try? FileManager.default.removeItem(atPath: profile)
    try outcome.get()
}
