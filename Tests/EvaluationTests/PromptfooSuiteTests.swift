import Evaluation
import Foundation
import TestSupport
import Testing
import YAML

/// Suites in promptfoo's form, with the files beside them.
@Suite struct PromptfooSuiteTests {
    private static let asserted = "assert: [{type: contains, value: tea}]"

    /// Reads a suite from a folder with these files; the suite is `promptfooconfig.yaml`.
    private func suite(_ files: [String: String], said: String = "said") throws -> Suite {
        let folder = try ScratchFolder()
        for (name, text) in files {
            let url = URL(fileURLWithPath: folder.path(name))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let reader = SuiteFiles(messages: said.split(separator: ",").map(String.init))
        return try #require(try reader.suites([folder.path("promptfooconfig.yaml")]).first)
    }

    private func suite(_ text: String, _ files: [String: String] = [:], said: String = "said") throws -> Suite {
        try suite(files.merging(["promptfooconfig.yaml": "prompts: ['{{said}}']\n" + text]) { $1 }, said: said)
    }

    /// The error of a suite that is refused, without the folder's name.
    private func refusal(_ text: String, _ files: [String: String] = [:]) -> String? {
        do {
            _ = try suite(text, files)
            return nil
        } catch {
            return "\(error)".replacing(/^\/[^ ]*\//, with: "")
        }
    }

    private func contains(_ texts: String..., all: Bool = true) -> Assertion.Kind {
        .contains(texts, all: all, ignoringCase: false)
    }

    @Test func `lists of variables become a case for each combination, the last changing first`() throws {
        let read = try suite(
            """
            defaultTest: {vars: {drink: [tea, milk]}}
            tests:
              - vars: {said: ["More {{drink}}?", Hello], years: [1950, 1984], who: {name: Ada}}
                assert: [{type: contains, value: "{{drink}}"}]
              - {vars: {said: [Now, Then], drink: water}, options: {disableVarExpansion: true}, \(Self.asserted)}
            """
        )
        #expect(
            read.fixtures.map { $0.turns[0].said } == [
                "More tea?", "Hello", "More milk?", "Hello", #"["Now","Then"]"#,
            ]
        )
        #expect(
            read.fixtures.map { $0.turns[0].assertions[0].kind } == [
                contains("tea"), contains("tea"), contains("milk"), contains("milk"), contains("tea"),
            ]
        )
        #expect(read.fixtures.map(\.id) == (1...5).map { "promptfooconfig-\($0)" })
        #expect(read.unusedVariables == ["who", "years"])
        #expect(read.warning?.contains("no message and no assertion uses the variables who, years") == true)
    }

    @Test func `a variable in a variable stands for its value, and never for itself`() throws {
        let read = try suite(
            """
            tests:
              - vars: {said: "A song of {{ thing }}", thing: "{{colour}} roses", colour: red}
                assert: [{type: contains, value: "{{thing}}"}]
            """
        )
        #expect(read.fixtures[0].turns[0].said == "A song of red roses")
        #expect(read.fixtures[0].turns[0].assertions[0].kind == contains("red roses"))
        #expect(
            refusal("tests: [{vars: {said: 'a {{b}}', b: '{{said}}'}, \(Self.asserted)}]\n")?.contains("inside itself")
                == true
        )
    }

    @Test func `files beside a suite are its values, cases, defaults and expected texts`() throws {
        let read = try suite(
            """
            defaultTest: file://default.yaml
            tests:
              - vars: {said: file://said/*.txt}
              - file://more/*.yaml
              - vars: file://vars.yml
                assert: [{type: contains-any, value: file://drinks.json}, {type: llm-rubric, value: file://rubric.md}]
            """,
            [
                "default.yaml": "assert: [{type: not-contains, value: rum}]\n", "said/b.txt": "Second\n",
                "said/a.txt": "First\n", "said/note.md": "no", "more/1.yaml": "- {vars: {said: Third}}\n",
                "more/2.yaml": "vars: {said: Fourth}\nassert: [{type: is-refusal}]\n", "vars.yml": "said: Fifth\n",
                "drinks.json": #"["tea", "milk"]"#, "rubric.md": "# Kind\nWarm words.\n",
            ]
        )
        #expect(read.fixtures.map { $0.turns[0].said } == ["First", "Second", "Third", "Fourth", "Fifth"])
        let kinds = read.fixtures.map { $0.turns[0].assertions.map(\.kind) }
        #expect(kinds[0] == [contains("rum")] && kinds[3] == [contains("rum"), .isRefusal])
        #expect(kinds[4] == [contains("rum"), contains("tea", "milk", all: false), .rubric("# Kind\nWarm words.")])
    }

    @Test func `a table's rows are cases, with assertions and labels in its columns`() throws {
        let table = """
            said,__expected1,__expected2,__metadata:area,__metadata:tags[],__threshold,__description,__metric
            "Tea, please","contains-any: tea, milk",not-icontains:rum,kitchen,"hot,sweet\\, very",0.5,"A ""hot"" drink",tone

            Good night,grade:It is warm,,,,,,
            Three,levenshtein(2):three,Note: this is all,,,,,
            """
        let read = try suite("tests: file://tests.csv\n", ["tests.csv": table])
        let first = read.fixtures[0]
        #expect(first.turns[0].said == "Tea, please" && first.title == "A \"hot\" drink" && first.threshold == 0.5)
        #expect(first.metadata == ["area": "kitchen", "tags": "hot, sweet, very"])
        #expect(first.turns[0].assertions.map(\.name) == ["contains-any", "not-icontains"])
        #expect(first.turns[0].assertions.map(\.metric) == ["tone", "tone"])
        #expect(first.turns[0].assertions[0].kind == contains("tea", "milk", all: false))
        #expect(read.fixtures[1].turns[0].assertions.map(\.kind) == [.rubric("It is warm")])
        #expect(
            read.fixtures[2].turns[0].assertions.map(\.kind) == [
                .levenshtein("three", atMost: 2), .equals("Note: this is all"),
            ]
        )
        #expect(read.fixtures[2].position.file.hasSuffix("tests.csv") && read.fixtures[2].position.line == 5)
    }

    @Test(arguments: [
        ("said,__expected\nHi,is-json\n", "tests.csv:2:1: the assertion type \"is-json\" is not supported"),
        ("said,__expected\n\nHi,fn:output.length\n", "tests.csv:3:1: the assertion type \"javascript\""),
        ("said,__expected\nHi\n", "tests.csv:2:1: 1 fields, and the first row names 2 columns"),
        ("said,said\nHi,Ho\n", "tests.csv:1:1: two columns have the same name"),
        ("said,__expcted\nHi,contains:x\n", "tests.csv:2:1: the column __expcted is not known"),
        ("said,__expected,__providerOutput\nHi,contains:x,Ho\n", "tests.csv:2:1: unknown key \"providerOutput\""),
        ("said,__expected,__prefix\nHi,contains:x,Ho\n", "tests.csv:2:1: options.prefix changes what is said"),
        ("said,__expected\n\"Hi,contains:x\n", "tests.csv: a row with the names of the columns is needed"),
    ])
    func `what a table cannot mean here is refused with its line`(table: String, words: String) {
        let refused = refusal("tests: tests.csv\n", ["tests.csv": table])
        #expect(refused?.hasPrefix(words) == true, "\(refused ?? "it was read")")
    }

    @Test func `each row of a scenario meets each of its tests`() throws {
        let read = try suite(
            """
            defaultTest: {assert: [{type: word-count, value: {max: 20}}]}
            scenarios:
              - config:
                  - {vars: {drink: tea}, assert: [{type: contains, value: hot}], metadata: {area: kitchen}}
                  - {vars: {drink: milk}}
                tests:
                  - {vars: {said: "May I have {{drink}}?"}, assert: [{type: contains, value: "{{drink}}"}]}
                  - {vars: {said: "No {{drink}}", drink: rum}, assert: [{type: is-refusal}], metadata: {for: all}}
            """
        )
        #expect(
            read.fixtures.map { $0.turns[0].said } == [
                "May I have tea?", "No rum", "May I have milk?", "No rum",
            ]
        )
        #expect(
            read.fixtures.map { $0.turns[0].assertions.map(\.name) } == [
                ["word-count", "contains", "contains"], ["word-count", "contains", "is-refusal"],
                ["word-count", "contains"], ["word-count", "is-refusal"],
            ]
        )
        #expect(read.fixtures[1].metadata == ["area": "kitchen", "for": "all"])
    }

    @Test func `anchors, merge keys and references to templates stand for what they name`() throws {
        let read = try suite(
            """
            assertionTemplates:
              warm: {type: llm-rubric, value: It is warm, weight: 2}
            defaultTest: &usual
              metadata: {area: kitchen}
              assert: [{$ref: "#/assertionTemplates/warm"}]
            tests:
              - {<<: *usual, metadata: {tags: [a, b], by: {name: Ada}}, vars: {said: Hello}}
              - {vars: {said: Bye}, assert: [{$ref: "#/assertionTemplates/warm", value: It is short, weight: 1}]}
            """
        )
        #expect(read.fixtures[0].turns[0].assertions.map(\.kind) == [.rubric("It is warm"), .rubric("It is warm")])
        #expect(read.fixtures[0].metadata == ["area": "kitchen", "tags": "a, b", "by": #"{"name":"Ada"}"#])
        #expect(read.fixtures[1].turns[0].assertions.map(\.kind) == [.rubric("It is warm"), .rubric("It is short")])
        #expect(read.fixtures[1].turns[0].assertions.map(\.weight) == [2, 1])
    }

    @Test func `a text of words, a distance and a rubric's least score mean what they mean to promptfoo`() throws {
        let read = try suite(
            """
            tests:
              - vars: {said: Hello, words: "tea, milk"}
                assert:
                  - {type: contains-any, value: "tea,  milk"}
                  - {type: icontains-all, value: "{{words}}"}
                  - {type: levenshtein, value: Hello}
                  - {type: assert-set, threshold: 0.5, assert: [{type: llm-rubric, value: warm, threshold: 0.8}]}
              - {vars: {said: Bye}, threshold: 0, \(Self.asserted)}
            """
        )
        let kinds = read.fixtures[0].turns[0].assertions.map(\.kind)
        #expect(kinds[0] == contains("tea", "milk", all: false))
        #expect(kinds[1] == .contains(["tea", "milk"], all: true, ignoringCase: true))
        #expect(kinds[2] == .levenshtein("Hello", atMost: 5))
        guard case .set(let parts, threshold: 0.5) = kinds[3] else {
            Issue.record("\(kinds[3])")
            return
        }
        #expect(parts.map(\.kind) == [.rubric("warm")])
        #expect(read.fixtures[1].skipReason == "the threshold is 0, so nothing could fail")
        #expect(read.warning?.contains("1 of 2 cases have a threshold of 0 and are skipped") == true)
        #expect(read.fixtures[1].threshold == nil && read.fixtures[0].skipReason == nil)
    }

    @Test func `a change of the reply comes before the assertions that read it`() async throws {
        let read = try suite(
            """
            defaultTest: {options: {transform: output.trim()}}
            tests:
              - vars: {said: Hello}
                assert: [{type: contains, value: tea, transform: "output.toLowerCase();"}, {type: latency, threshold: 5}]
              - {vars: {said: Bye}, options: {transform: "return output.toUpperCase().trimEnd()"}, \(Self.asserted)}
            """
        )
        #expect(read.fixtures[0].turns[0].assertions[0].transforms == [.trim, .toLowerCase])
        #expect(read.fixtures[1].turns[0].assertions[0].transforms == [.toUpperCase, .trimEnd])
        #expect(!read.unusedKeys.contains { $0.contains("transform") })
        func outcome(_ assertion: String) async throws -> SampleRecord? {
            let fixtures = try ShippedParts.suite(
                "tests: [{id: a, given: {model: \"The Sun.\"}, vars: {message: Hello there.}, assert: [\(assertion)]}]"
            )
            return try await ShippedParts.run(fixtures, in: ScratchFolder(), loops: 1).samples.first
        }
        #expect(try await outcome("{type: equals, value: the sun., transform: output.toLowerCase()}")?.outcome == .pass)
        #expect(try await outcome("{type: contains, value: Sun, transform: output.toLowerCase()}")?.outcome == .fail)
        #expect(try await outcome("{type: contains, value: Sun}")?.outcome == .pass)
    }

    @Test(arguments: [
        ("tests: [{vars: {said: file://../secret.txt}, ASSERT}]", 2, "not in the folder of the suite"),
        ("tests: [{vars: {said: file:///etc/hostname}, ASSERT}]", 2, "not in the folder of the suite"),
        ("tests: https://example.org/cases.csv", 2, "not in the folder of the suite"),
        ("tests:\n  - file://cases/**/*.yaml", 3, "** is not supported"),
        ("tests:\n  - file://none/*.yaml", 3, "names 0 files"),
        ("tests:\n  - file://cases.py:make", 3, "code, which is not run"),
        ("tests:\n  - file://cases.xlsx", 3, "cases are in files of"),
        ("tests:\n  - vars: {said: file://load.js}\n    ASSERT", 3, "code, which is not run"),
        ("tests:\n  - vars: {said: file://cat.jpg}\n    ASSERT", 3, "it is no file"),
        (
            "tests:\n  - vars: {said: '{{ name | upper }}', name: Ada}\n    ASSERT", 3,
            "more than the name of a variable"
        ),
        ("tests:\n  - vars: {said: Hi}\n    assert: [{type: not-contains, value: '{{a.b}}'}]", 4, "more than the name"),
        ("tests:\n  - vars: {said: Hi}\n    assert: [{type: contains, value: '{% if x %}'}]", 4, "more than the name"),
        ("tests:\n  - vars: {said: Hi}\n    assert: [{$ref: '#/assertionTemplates/none'}]", 4, "nothing is at"),
        ("tests:\n  - vars: {said: Hi}\n    assert: [{type: llm-rubric, value: x, threshold: 0}]", 4, "above 0"),
        (
            "tests:\n  - vars: {said: Hi}\n    options: {transform: JSON.parse(output).x}\n    ASSERT", 4,
            "a transform is"
        ),
        ("tests:\n  - vars: {said: Hi}\n    options: {rubricPrompt: x}\n    ASSERT", 4, "options.rubricPrompt"),
        ("tests:\n  - vars: {said: []}\n    ASSERT", 3, "what is said"),
        ("scenarios:\n  - {config: [], tests: []}", 3, "has no row"),
        ("scenarios:\n  - {tests: []}", 3, "\"config\" is missing"),
        ("tests:\n  - vars: {said: Hi}\n    providerOutput: Ho\n    ASSERT", 4, "unknown key \"providerOutput\""),
    ])
    func `what cannot be read is refused with its line and the reason`(text: String, line: Int, reason: String) {
        let files = [
            "load.js": "x", "cases.py": "x", "cases.xlsx": "x", "cases/a.yaml": "[]",
        ]
        let refused = refusal(text.replacing("ASSERT", with: Self.asserted) + "\n", files)
        #expect(refused?.contains(":\(line):") == true && refused?.contains(reason) == true, "\(refused ?? "read")")
    }

    @Test func `variables that nothing uses need not be readable, and large products are refused`() throws {
        let read = try suite(
            "tests: [{vars: {said: Hello, context: file://load_context.py, x: '{{ a | b }}'}, \(Self.asserted)}]\n",
            ["load_context.py": "pass\n"]
        )
        #expect(read.fixtures.map { $0.turns[0].said } == ["Hello"] && read.unusedVariables == ["context", "x"])
        let list = "[" + (0..<30).map { "'a\($0)'" }.joined(separator: ", ") + "]"
        #expect(
            refusal("tests: [{vars: {said: \(list), b: \(list), c: \(list)}, \(Self.asserted)}]\n")?
                .contains("the lists of variables make") == true
        )
    }
}
