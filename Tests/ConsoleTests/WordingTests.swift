import Domain
import Foundation
import HTTPClient
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// The console's words in English and Spanish.
@Suite(.timeLimit(.minutes(3))) struct WordingTests {
    /// Names and commands that are the same in every language.
    private static let same: Set<String> = [
        "docker/grafana", "hearth enrol patient", "hearth operators create", "POST /api/v1/patients", "skip",
        "· Hearth", "s",
    ]

    private static let sources = PageBench.root.appending(path: "Sources/Console")

    /// The string literals of the console's pages, each as its pieces between values.
    private static func literals(under folder: String) throws -> [(file: String, pieces: [String])] {
        let root = sources.appending(path: folder)
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
            SwiftLiterals(try Data(contentsOf: root.appending(path: file))).found.map { (file, $0) }
        }
    }

    @Test func `no text between tags lacks a translation`() throws {
        var missing: Set<String> = []
        for folder in ["Pages", "Serving", "Markup"] {
            for (file, pieces) in try Self.literals(under: folder) {
                guard pieces.joined().contains("<"), pieces.joined().contains(">") else { continue }
                for label in pieces.flatMap({ MarkupRuns($0).labels }) where !Wording.has(label) {
                    let isWord = label.utf8.count(where: { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }) > 1
                    if isWord, !Self.same.contains(label) { missing.insert("\(file): \(label)") }
                }
            }
        }
        #expect(missing.sorted() == [], "add them to Sources/Console/Assets/spanish.tsv")
    }

    @Test func `every line of the table is whole, and keeps its places for values`() throws {
        let lines = String(decoding: PackageResources.spanish_tsv, as: UTF8.self).split(separator: "\n")
        #expect(lines.count > 500)
        var seen: Set<Substring> = []
        for line in lines where !line.hasPrefix("#") {
            let halves = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(halves.count == 2 && halves.allSatisfy { !$0.isEmpty }, "\(line)")
            #expect(
                halves.map { $0.ranges(of: "{}").count }.reduce(0, -) == -2 * (halves.last?.ranges(of: "{}").count ?? 0)
            )
            #expect(seen.insert(halves[0]).inserted, "\(halves[0])")
        }
    }

    @Test func `scripts say nothing that lacks a translation`() throws {
        let folder = Self.sources.appending(path: "Assets")
        let common = try String(contentsOf: folder.appending(path: "console.js"), encoding: .utf8)
        for name in ["console", "editor", "incidents", "live"] {
            let script = try String(contentsOf: folder.appending(path: "\(name).js"), encoding: .utf8)
            for match in script.matches(of: /wording\("([^"]+)"/) {
                #expect(common.contains("\"\(match.1)\": \""), "\(name).js: \(match.1)")
            }
            #expect(script.firstMatch(of: /textContent = "[A-Z]/) == nil, "\(name).js")
        }
    }

    @Test func `labels and markup are said in the reader's language, values and tags stay`() {
        func spanish(_ html: @autoclosure () -> HTML) -> String {
            ConsoleLanguage.$current.withValue(.spanish) { html().text }
        }
        func page(_ name: String) -> HTML { "<h2 class=\"low\">Facts</h2><p title=\"Search\">\(name) of \(3)</p>" }
        #expect(page("Now").text == "<h2 class=\"low\">Facts</h2><p title=\"Search\">Now of 3</p>")
        #expect(spanish(page("Now")) == "<h2 class=\"low\">Datos</h2><p title=\"Buscar\">Now de 3</p>")
        #expect(spanish(Field("level", "Level", value: "Search").html).contains("value=\"Search\""))
        #expect(spanish(Badge(.critical).html) == "<span class=\"badge critical\">crítico</span>")
        ConsoleLanguage.$current.withValue(.spanish) {
            #expect(Wording.say("Conversation with Test") == "Conversación con Test", "a name is no label")
            #expect(Wording.say("high and above") == "alto y superiores")
            #expect(Figure.count(1, "fact") == "1 dato" && Figure.count(2, "fact") == "2 datos")
            #expect(Wording.say("no such label") == "no such label" && Wording.say("") == "")
        }
    }

    @Test(arguments: [
        ("es", ConsoleLanguage.spanish), ("es-MX,en;q=0.5", .spanish), ("en-US,es;q=0.9", .english), ("", .english),
        ("fr,de", .english), ("est", .english), ("fr;q=1,es;q=0.2", .spanish), (";;,=,q=9", .english),
        ("en;q=x,es", .spanish), (String(repeating: "x,", count: 50) + "es", .english),
    ])
    func `the browser's language is followed`(field: String, language: ConsoleLanguage) {
        #expect(ConsoleLanguage(HeaderFields(["Accept-Language": field])) == language)
    }

    @Test func `pages are whole in Spanish, and what a patient says is never translated`() async throws {
        try await PageBench.with { bench in
            let words = "Nothing"
            try await bench.console.scratch.answer(words, with: "Good", shownTo: bench.feed)
            let session = try await bench.console.session(.admin)
            let patient = bench.console.scratch.patient.id
            for path in [
                "incidents", "incidents/closed", "people", "people/\(patient)", "people/\(patient)/conversation",
                "turns",
                "live", "prompts", "prompts/history", "rules", "evals", "evals/matrix", "reviews", "people/nobody",
            ] {
                let headers: KeyValuePairs = ["Accept-Language": "es-ES,es"]
                let page = try await bench.console.send(.get, "/console/\(path)", session: session, headers: headers)
                #expect(page.text.contains("<html lang=\"es\">") && page.text.contains(">Incidentes"), "\(path)")
                let heads = page.text.matches(of: /<(?:h1|h2|th|label|button|caption|dt)[^>]*>([^<]+)</).map {
                    $0.1.trimmingCharacters(in: .whitespaces)
                }
                // A word in small letters may be the name of a rule pack, which is the same in every language.
                let english = heads.filter { $0.first?.isLowercase != true || $0.contains(" ") }.filter { head in
                    ConsoleLanguage.$current.withValue(.spanish) { Wording.say(head) != head }
                }
                #expect(english == [], "\(path)")
            }
            let headers: KeyValuePairs = ["Accept-Language": "es"]
            let turns = try await bench.console.send(
                .get,
                "/console/turns?range=365d",
                session: session,
                headers: headers
            )
            #expect(!turns.text.contains("<bdi>Nada</bdi>"))
        }
    }

    @Test func `the choice of a language is kept, and leads nowhere else`() async throws {
        try await PageBench.with { bench in
            let session = try await bench.console.session(.viewer)
            let page = try await bench.console.send(.get, "/console/turns?range=7d", session: session)
            #expect(page.text.contains("<html lang=\"en\">") && page.text.contains("/console/language/es?then="))
            let chosen = try await bench.console.send(.get, "/console/language/es?then=%2Fconsole%2Fturns%3Frange%3D7d")
            #expect(chosen.status == 303 && chosen.headers["location"] == "/console/turns?range=7d")
            #expect(chosen.cookie("console_language") == "es")
            let cookies: KeyValuePairs = [
                "Cookie": "hearth_operator=\(session); console_language=es", "Accept-Language": "en",
            ]
            #expect(try await bench.console.send(.get, "/console/turns", headers: cookies).text.contains("lang=\"es\""))
            for goal in ["https://evil.example", "//evil.example", "/metrics", "%0d%0aX: y", ""] {
                let encoded = goal.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let answer = try await bench.console.send(.get, "/console/language/es?then=\(encoded)")
                #expect(answer.status == 303 && answer.headers["location"]?.hasPrefix("/console/") == true, "\(goal)")
            }
            for name in ["xx", "ES", "en%0d%0a", "english"] {
                let answer = try await bench.console.send(.get, "/console/language/\(name)")
                #expect(answer.status == 404 && answer.cookie("console_language") == nil, "\(name)")
            }
            let odd: KeyValuePairs = ["Cookie": "console_language=<script>"]
            #expect(try await bench.console.send(.get, "/console/sign-in", headers: odd).text.contains("lang=\"en\""))
        }
    }
}

/// The string literals of a Swift file, each as its pieces between interpolations.
struct SwiftLiterals {
    private let bytes: [UInt8]
    private var place = 0
    private(set) var found: [[String]] = []

    init(_ source: Data) {
        bytes = Array(source)
        while place < bytes.count {
            if starts("//") {
                while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
            } else if bytes[place] == UInt8(ascii: "\"") {
                readLiteral()
            } else {
                place += 1
            }
        }
    }

    private func starts(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes[place...].starts(with: wanted)
    }

    /// Reads a literal from its first quotation mark on.
    private mutating func readLiteral() {
        let isLong = starts("\"\"\"")
        place += isLong ? 3 : 1
        var (pieces, piece): ([String], [UInt8]) = ([], [])
        while place < bytes.count, !(isLong ? starts("\"\"\"") : starts("\"")) {
            if starts("\\(") {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece = []
                place += 2
                skipValue()
            } else if starts("\\") {
                place += 1
                if bytes[place] != UInt8(ascii: "\n") { piece.append(bytes[place]) }
                place += 1
                if isLong, piece.isEmpty || bytes[place - 1] == UInt8(ascii: "\n") { skipIndentation() }
            } else {
                piece.append(bytes[place])
                place += 1
                if isLong, bytes[place - 1] == UInt8(ascii: "\n") { skipIndentation() }
            }
        }
        place += isLong ? 3 : 1
        found.append(pieces + [String(decoding: piece, as: UTF8.self)])
    }

    private mutating func skipIndentation() {
        while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
    }

    /// Skips the expression of an interpolation; literals within it are found too.
    private mutating func skipValue() {
        var depth = 1
        while place < bytes.count, depth > 0 {
            switch bytes[place] {
            case UInt8(ascii: "\""): readLiteral()
            case UInt8(ascii: "("):
                depth += 1
                place += 1
            case UInt8(ascii: ")"):
                depth -= 1
                place += 1
            default: place += 1
            }
        }
    }
}
