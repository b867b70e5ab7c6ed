import Domain
import Foundation
import HTTPClient
import HTTPServing
import TestSupport
import Testing

@testable import Console

/// Rules for every page, as every role, with something hostile on each.
@Suite(.serialized, .timeLimit(.minutes(4))) struct EveryPageTests {
    @Test func `no page is left out: each route that is read has an address, and each kind of page is among them`()
        async throws
    {
        try await EveryPage.with { every in
            let routes = every.bench.pages.flatMap(\.routes).filter { $0.method == .get }.map(\.pattern)
            #expect(
                Set(routes).subtracting(EveryPage.streams) == Set(every.paths.keys),
                "give it an address in EveryPage"
            )
            let root = PageBench.root.appending(path: "Sources/Console")
            let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            let kinds = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
                try String(contentsOf: root.appending(path: file), encoding: .utf8)
                    .matches(of: /struct (\w+): ConsolePage\b/).map { String($0.1) }
            }
            #expect(kinds.count > 10)
            #expect(Set(every.bench.pages.map { "\(type(of: $0))" }) == Set(kinds), "add it to EveryPage")
        }
    }

    @Test(arguments: [Operator.Role.viewer, .reader, .operator, .admin])
    func `hostile words are text on every page, and a viewer reads none of them`(role: Operator.Role) async throws {
        try await EveryPage.with { every in
            let session = try await every.bench.console.session(role)
            let roles = Dictionary(
                every.bench.pages.flatMap(\.routes).filter { $0.method == .get }.map { ($0.pattern, $0.role) }
            ) { first, _ in first }
            var shown = 0
            for (pattern, path) in every.paths.sorted(by: { $0.key < $1.key }) {
                let page = try await every.bench.console.send(.get, "/console/\(path)", session: session)
                let isAllowed = try #require(roles[pattern]) <= role
                let isMoved = pattern == "/evals/compare"
                #expect(page.status == (isAllowed ? isMoved ? 303 : 200 : 403), "\(path): \(page.status)")
                for hostile in ["<script>window", "<img src=x", "' onfocus='", "\" onfocus"] {
                    #expect(!page.text.contains(hostile), "\(path): \(hostile)")
                }
                let own = page.text.replacing(/<textarea[^>]*>.*?<\/textarea>/.dotMatchesNewlines(), with: "")
                #expect(!own.unicodeScalars.contains("\u{202E}"), "\(path) can reverse a line")
                if role == .viewer { #expect(!page.text.contains(EveryPage.secret), "a viewer reads words on \(path)") }
                if page.text.contains(EveryPage.secret) { shown += 1 }
            }
            #expect(role == .viewer ? shown == 0 : shown >= 8, "\(shown) pages show what is hidden from a viewer")
        }
    }

    @Test func `no label is the same in English and in Spanish, unless both languages write it so`() async throws {
        try await EveryPage.with { every in
            let session = try await every.bench.console.session(.admin)
            var same: [String: String] = [:]
            let strangers = [EveryPage.secret, "window.hurt"]
            for path in every.paths.values.sorted() where !path.hasSuffix("pulse") && !path.contains("compare") {
                var texts: [Set<String>] = []
                for language in ["en", "es"] {
                    let headers: KeyValuePairs = ["Accept-Language": language]
                    let page = try await every.bench.console.send(
                        .get,
                        "/console/\(path)",
                        session: session,
                        headers: headers
                    )
                    texts.append(SpokenTexts(page.text).texts)
                }
                for text in texts[0].intersection(texts[1]) where !SpokenTexts.isInBothLanguages(text) {
                    if !strangers.contains(where: text.contains) { same[text] = path }
                }
            }
            #expect(same.isEmpty, "\(same.map { "\($0.key)  (\($0.value))" }.sorted().joined(separator: "\n"))")
        }
    }
}

/// The texts and read-out attributes of a page, without people's words, code and names.
struct SpokenTexts {
    /// Labels that Spanish writes as English does, and names of the tests' own people, files and rules.
    private static let both: Set<String> = [
        "Hearth", "Error", "Total", "Prompts", "Prompt", "Ana", "Id", "No", "Slack", "prompt", "English",
        "Español", "Tokens", "no", "Original", "Webhook", "Webhooks", "UTC", ", UTC", "0 error", "error", "detector",
        "small",
    ]

    let texts: Set<String>

    init(_ page: String) {
        let own = page.replacing(
            /<(bdi|code|pre|script|textarea|style|mark|title)\b[^>]*>.*?<\/\1>/.dotMatchesNewlines(),
            with: "<i>"
        )
        let runs = own.matches(of: />([^<>]+)</).map { String($0.1) }
        let spoken = own.matches(of: /(?:aria-label|title|placeholder|data-label)="([^"]+)"/).map { String($0.1) }
        texts = Set((runs + spoken).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") })
    }

    /// True for figures, units, dates, names of files, rules and eval runs, and words that both languages share.
    static func isInBothLanguages(_ text: String) -> Bool {
        if text.wholeMatch(of: /[0-9]{8}-[0-9]{6}-[0-9a-f]{4}/) != nil { return true }
        if both.contains(text) || text.wholeMatch(of: /[−0-9., ]+(ms|s|min|h|tokens)/) != nil { return true }
        let words = text.split { !$0.isLetter }.filter { $0.count > 2 }
        if words.isEmpty || text.wholeMatch(of: /[\w\-\/@+]*[._@\/][\w.\-\/@]*|[0-9a-f]{64}/) != nil { return true }
        return text.wholeMatch(of: /[0-9:TZ\- ]+( UTC)?/) != nil
    }
}
