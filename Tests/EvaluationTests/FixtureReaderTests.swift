import Evaluation
import Foundation
import TestSupport
import Testing
import YAML

@Suite struct FixtureReaderTests {
    private func read(_ test: String, defaults: String = "") throws -> Fixture {
        try #require(try SuiteReader().fixtures("suite: s\n\(defaults)tests:\n  - \(test)\n", file: "s.yaml").first)
    }

    @Test func `a promptfoo case is read as it is`() throws {
        let fixture = try read(
            """
            description: bank caller
                vars: {message: "He wants my PIN", who: Laura}
                metadata: {area: scam}
                threshold: 0.8
                assert:
                  - {type: icontains-any, value: ["don't share", "{{who}}"], weight: 2, metric: tone}
                  - {type: not-regex, value: "(?i)take \\\\d+ (mg|pills)"}
                  - {type: latency, threshold: 5000}
                  - {type: llm-rubric, value: warm}
            """
        )
        #expect(fixture.id == "s-1" && fixture.title == "bank caller" && fixture.threshold == 0.8)
        #expect(fixture.turns.map(\.said) == ["He wants my PIN"])
        let assertions = fixture.turns[0].assertions
        #expect(assertions.map(\.name) == ["icontains-any", "not-regex", "latency", "llm-rubric"])
        #expect(assertions[0].kind == .contains(["don't share", "Laura"], all: false, ignoringCase: true))
        #expect(assertions[0].weight == 2 && assertions[0].metric == "tone" && assertions[1].isNegated)
    }

    @Test func `what a suite gives by default holds for each case, on every turn`() throws {
        let fixture = try read(
            "{id: a, turns: [{user: One}, {user: Two, after-minutes: 5, assert: [{type: is-refusal}]}]}",
            defaults:
                "defaultTest: {severity: minor, given: {patient: {name: Ruth}}, assert: [{type: word-count, value: {max: 20}}]}\n"
        )
        #expect(fixture.severity == .minor && fixture.given.name == "Ruth")
        #expect(fixture.turns.map { $0.assertions.map(\.name) } == [["word-count"], ["word-count", "is-refusal"]])
        #expect(fixture.turns[1].after == .seconds(300))
    }

    @Test(arguments: [
        ("javascript", "assert: [{type: javascript, value: x}]"), ("python", "assert: [{type: python, value: x}]"),
        ("webhook", "assert: [{type: webhook, value: x}]"), ("similar", "assert: [{type: similar, value: x}]"),
        ("not-bleu", "assert: [{type: not-bleu, value: x}]"),
    ])
    func `an unsupported type is refused with file and line`(type: String, assertions: String) {
        do {
            _ = try read("{id: a,\n    vars: {message: Hi},\n    \(assertions)}")
            Issue.record("\(type) was taken")
        } catch let error as FixtureError {
            guard case .unsupportedAssertion(let at, let named) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(named == type && at.file == "s.yaml" && at.line == 5)
            #expect("\(error)".contains("s.yaml:5:") && "\(error)".contains("word-count"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test(arguments: [
        "{vars: {message: Hi}}", "{vars: {message: Hi}, assert: []}", "{assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, asert: [{type: is-refusal}]}", "{vars: {message: ''}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, threshold: .nan, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, threshold: 0, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, threshold: -1, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, threshold: 1.5, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, assert: [{type: latency}]}",
        "{vars: {message: Hi}, assert: [{type: latency, threshold: -5}]}",
        "{vars: {message: Hi}, assert: [{type: latency, threshold: nan}]}",
        "{vars: {message: Hi}, assert: [{type: is-refusal, weight: -1}]}",
        "{vars: {message: Hi}, assert: [{type: contains, value: ''}]}",
        "{vars: {message: Hi}, assert: [{type: contains}]}",
        "{vars: {message: Hi}, assert: [{type: regex, value: '('}]}",
        "{vars: {message: Hi}, assert: [{type: word-count, value: {}}]}",
        "{vars: {message: Hi}, assert: [{type: word-count, value: {min: 9, max: 3}}]}",
        "{vars: {message: Hi}, assert: [{type: assert-set}]}",
        "{vars: {message: Hi}, assert: [{type: alert-level, value: grave}]}",
        "{vars: {message: Hi}, assert: [{type: source, value: oracle}]}",
        "{vars: {message: Hi}, repeat: {n: 2, min-pass: 3}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {wether: fine}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {clock: noon}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {model: {fault: tired}}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {faults: {remember: broken}}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {faults: {memory: away}}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {patient: {time-zone: Mars/One}}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, turns: [{user: Hi}], assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, assert: [{type: starts-with, value: ''}]}",
        "{vars: {message: Hi}, assert: [{type: not-regex, value: ''}]}",
        "{vars: {message: Hi}, assert: [{type: contains-any, value: [a, '']}]}",
        "{vars: {message: Hi}, assert: [{type: contains-all, value: []}]}",
        "{vars: {message: Hi}, assert: [{type: memory-used, value: ''}]}",
        "{vars: {message: Hi}, assert: [{type: not-prompt, value: {contains: ''}}]}",
        "{vars: {message: Hi}, assert: [{type: scam-flag, value: []}]}",
        "{vars: {message: Hi}, assert: [{type: not-source, value: []}]}",
        "{vars: {message: Hi}, assert: [{type: alert-level, value: {}}]}",
        "{vars: {message: Hi}, assert: [{type: alert-level, value: {min: none}}]}",
        "{vars: {message: Hi}, assert: [{type: alert-level, value: {max: critical}}]}",
        "{vars: {message: Hi}, assert: [{type: is-refusal, value: x}]}",
        "{vars: {message: Hi}, assert: [{type: llm-rubric, value: warm, threshold: 0.8}]}",
        "{vars: {message: Hi}, assert: [{type: contains, value: x, threshold: 0.5}]}",
        "{vars: {message: Hi}, assert: [{type: levenshtein, value: x, threshold: 1e300}]}",
        "{vars: {message: Hi}, assert: [{type: levenshtein, value: x, threshold: 1.5}]}",
        "{vars: {message: Hi}, assert: [{type: not-contains, value: '{{nmae}}'}]}",
        "{vars: {message: Hi}, assert: [{type: equals, value: [a, b]}]}",
        "{vars: {message: Hi}, assert: {type: is-refusal}}", "{vars: [Hi], assert: [{type: is-refusal}]}",
        "{vars: {message: {a: b}}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, metadata: {tags: [a]}, assert: [{type: is-refusal}]}",
        "{id: '', vars: {message: Hi}, assert: [{type: is-refusal}]}",
        "{id: \"a\\nb\", vars: {message: Hi}, assert: [{type: is-refusal}]}",
        "{turns: [{user: '{{who}}'}], assert: [{type: is-refusal}]}",
        "{turns: [{user: Hi, after-minutes: -1}], assert: [{type: is-refusal}]}",
        "{turns: {user: Hi}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, repeat: {n: 1001}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {reminders: [{title: walk, at: \"8:x:30\"}]}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {reminders: [{title: walk, at: \"24:00\"}]}, assert: [{type: is-refusal}]}",
        "{vars: {message: Hi}, given: {word-cap: 21}, assert: [{type: is-refusal}]}", "[]", "words", "",
    ])
    func `a case that could not fail, or is misspelt, is refused`(test: String) {
        #expect(throws: FixtureError.self) { try read(test) }
    }

    @Test func `a variable stands for its value once, and for nothing inside another`() throws {
        let fixture = try read(
            """
            vars: {message: "Say {{who}}", who: "{{message}} {{x}}", x: y}
                assert: [{type: contains, value: "{{ who }} and {{x}}"}, {type: contains, value: "\\\\{{who}} {{role \\"s\\"}}"}]
            """
        )
        #expect(fixture.turns[0].said == "Say {{who}}")
        #expect(
            fixture.turns[0].assertions.map(\.kind) == [
                .contains(["{{message}} {{x}} and y"], all: true, ignoringCase: false),
                .contains(["{{who}} {{role \"s\"}}"], all: true, ignoringCase: false),
            ]
        )
        let shared = try read(
            "{id: a, vars: {message: Hi}, assert: [{type: contains, value: \"{{who}}\"}]}",
            defaults: "defaultTest: {vars: {who: Laura}}\n"
        )
        #expect(shared.turns[0].assertions[0].kind == .contains(["Laura"], all: true, ignoringCase: false))
    }

    @Test func `an error in a suite names the file and the line`() {
        let cases: [(String, Int)] = [
            ("tests:\n  - vars: {message: Hi}\n    assert: [{type: contains, value: ''}]\n", 3),
            ("tests:\n  - vars: {message: Hi}\n    assert:\n      - {type: not-contains, value: '{{x}}'}\n", 4),
            ("tests:\n  - vars: {message: Hi}\n    assert:\n      - {type: word-count, value: [1]}\n", 4),
            ("tests:\n  - vars: {message: Hi}\n    id:\n      ''\n    assert: [{type: is-refusal}]\n", 4),
            ("tests: &t\n  - *t\n", 2), ("tests:\n  - vars: {message: Hi}\n    <<: {a: b}\n", 3),
            ("tests:\n  - vars: {message: Hi}\n    vars: {message: Ho}\n", 3),
            ("tests: \(String(repeating: "[", count: 40))\n", 1), ("a: 1\n---\nb: 2\n", 2),
            ("shared:\n  deep: [1]\ntests: 5\n", 3), ("tests:\n  - {id: a, vars: {message: Hi\n", 3),
        ]
        for (text, line) in cases {
            let error = #expect(throws: FixtureError.self) { try SuiteReader().fixtures(text, file: "s.yaml") }
            #expect(error.map { "\($0)".hasPrefix("s.yaml:\(line):") } == true, "\(String(describing: error))")
        }
    }

    @Test func `what is too large to be meant is refused before it is read`() throws {
        let folder = try ScratchFolder()
        let path = folder.path("big.yaml")
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(ftruncate(descriptor, 65 << 20) == 0)
        close(descriptor)
        #expect(throws: FixtureError.self) { try SuiteFiles().fixtures([path]) }
        for special in ["/dev/zero", "/dev/null", folder.path("none")] {
            #expect(throws: FixtureError.self) { try SuiteFiles().fixtures([special]) }
        }
        let long =
            "tests: [{vars: {message: Hi}, assert: [{type: contains, value: \(String(repeating: "x", count: 5 << 20))}]}]"
        #expect(throws: FixtureError.self) { try SuiteReader().fixtures(long, file: "s.yaml") }
        let values = (0..<9).map { "v\($0): \(String(repeating: "y", count: 20_000))" }.joined(separator: ", ")
        let all = (0..<9).map { "{{v\($0)}}" }.joined()
        #expect(throws: FixtureError.self) {
            try read("{vars: {message: Hi, \(values)}, assert: [{type: contains, value: \"\(all)\"}]}")
        }
    }

    @Test func `an empty suite and two cases of one identity are refused`() throws {
        #expect(throws: FixtureError.self) { try SuiteReader().fixtures("suite: s\ntests: []\n", file: "s.yaml") }
        let folder = try ScratchFolder()
        let test = "tests: [{id: same, vars: {message: Hi}, assert: [{type: is-refusal}]}]\n"
        try test.write(toFile: folder.path("a.yaml"), atomically: true, encoding: .utf8)
        try test.write(toFile: folder.path("b.yaml"), atomically: true, encoding: .utf8)
        #expect(throws: FixtureError.self) { try SuiteFiles().fixtures([folder.path("")]) }
        #expect(throws: FixtureError.self) { try SuiteFiles().fixtures([folder.path("none.yaml")]) }
    }

    @Test func `what tells promptfoo how to run a suite is read past, and named once`() throws {
        let text = """
            $schema: https://example.org/schema.json
            prompts: [file://a.txt, {id: b, raw: "Say {{body}}"}]
            providers: [openai:x, {id: y, config: {temperature: 0}}]
            defaultTest:
              options: {provider: judge}
              assert: [{type: llm-rubric, value: warm, provider: judge}]
            tests:
              - {vars: {body: I am hungry, tone: kind}, provider: y, assert: [{type: contains, value: "{{tone}}"}]}
              - vars: {body: Good morning}
                options: {runSerially: true}
                assert: [{type: assert-set, threshold: 0.5, assert: [{type: llm-rubric, value: x, provider: z}]}]
            evaluateOptions: {maxConcurrency: 2}
            """
        let suite = try SuiteReader(messages: ["said", "body"]).suite(text, file: "promptfooconfig.yaml")
        #expect(suite.fixtures.map { $0.turns.map(\.said) } == [["I am hungry"], ["Good morning"]])
        #expect(suite.fixtures[0].turns[0].assertions.map(\.name) == ["llm-rubric", "contains"])
        #expect(
            suite.unusedKeys == [
                "$schema", "prompts", "providers", "evaluateOptions", "defaultTest.options.provider",
                "defaultTest.assert.provider", "tests.provider", "tests.options.runSerially", "tests.assert.provider",
            ]
        )
        #expect(suite.warning?.hasPrefix("promptfooconfig.yaml: ") == true)
        let ours = try SuiteReader().suite(
            "tests: [{vars: {message: Hi}, assert: [{type: is-refusal}]}]\n",
            file: "s.yaml"
        )
        #expect(ours.unusedKeys.isEmpty && ours.warning == nil)
    }

    @Test func `a case of promptfoo's that asserts nothing is skipped, and a suite of such cases is refused`() throws {
        let idle = "{vars: {message: Hello}}"
        let text = "providers: [x]\ntests: [\(idle), {vars: {message: Hi}, assert: [{type: is-refusal}]}]\n"
        let suite = try SuiteReader().suite(text, file: "s.yaml")
        #expect(suite.fixtures.map { $0.skipReason == nil } == [false, true])
        #expect(suite.warning?.hasSuffix("1 of 2 cases assert nothing and are skipped") == true)
        #expect(throws: FixtureError.self) {
            try SuiteReader().suite("providers: [x]\ntests: [\(idle)]\n", file: "s.yaml")
        }
        #expect(throws: FixtureError.self) { try SuiteReader().suite("tests: [\(idle)]\n", file: "s.yaml") }
    }

    @Test func `a suite whose message has another name says which names there are`() {
        let text = "tests: [{vars: {body: Hi, tone: kind}, assert: [{type: is-refusal}]}]\n"
        let error = #expect(throws: FixtureError.self) { try SuiteReader().fixtures(text, file: "s.yaml") }
        #expect(error.map { "\($0)".contains("--message") && "\($0)".contains("body, tone") } == true)
    }

    @Test(arguments: [
        "scenarios: [{config: []}]\n", "nunjucksFilters: {x: y}\n", "provders: [x]\n",
        "defaultTest: {options: {transform: output.length}}\n", "defaultTest: {options: {prefix: Please}}\n",
        "defaultTest: {options: {rubricPrompt: x}}\n", "defaultTest: {options: [x]}\n",
        "defaultTest: {assert: [{type: contains, value: x, transform: JSON.parse(output)}]}\n",
        "defaultTest: {assert: [{type: llm-rubric, value: x, rubricPrompt: y}]}\n",
        "defaultTest: {assert: [{type: contains, value: file://x.txt}]}\n",
        "defaultTest: {vars: {message: file://said.txt}}\n", "defaultTest: file://default.yaml\n",
    ])
    func `what changes what is said or judged is refused`(line: String) {
        let text = "tests: [{vars: {x: y}, assert: [{type: is-refusal}]}]\ndefaultTest: {vars: {message: Hi}}\n"
        #expect(throws: Never.self) { try SuiteReader().fixtures(text, file: "s.yaml") }
        let test = line.contains("message") ? "x: y" : "message: Hi"
        let changed = "tests: [{vars: {\(test)}, assert: [{type: is-refusal}]}]\n\(line)"
        #expect(throws: FixtureError.self) { try SuiteReader().fixtures(changed, file: "s.yaml") }
    }

    @Test func `a fixture's digest changes with what it asks or expects, and with nothing else`() throws {
        let one = try read("{id: a, vars: {message: Hi}, assert: [{type: is-refusal}]}")
        #expect(
            one.digest
                == (try read("{id: b, description: x, vars: {message: Hi}, assert: [{type: is-refusal}]}")).digest
        )
        for other in [
            "{id: a, vars: {message: Ho}, assert: [{type: is-refusal}]}",
            "{id: a, vars: {message: Hi}, assert: [{type: not-is-refusal}]}",
            "{id: a, severity: minor, vars: {message: Hi}, assert: [{type: is-refusal}]}",
            "{id: a, given: {facts: [x]}, vars: {message: Hi}, assert: [{type: is-refusal}]}",
        ] {
            #expect(one.digest != (try read(other)).digest, "\(other)")
        }
    }

    @Test func `a digest does not depend on the order in which days are given`() throws {
        func digest(_ days: [Int]) throws -> String {
            let given = "{reminders: [{title: walk, at: \"08:00\", days: \(days)}]}"
            return try read("{id: a, given: \(given), vars: {message: Hi}, assert: [{type: is-refusal}]}").digest
        }
        let first = try digest([1, 2, 3, 4, 5, 6, 7])
        for _ in 0..<50 { #expect(try digest([1, 2, 3, 4, 5, 6, 7].shuffled()) == first) }
        #expect(try digest([1, 2]) != first)
    }

    @Test func `shards part the fixtures, keep conversations whole, and lose none`() throws {
        let tests = (0..<60).map {
            "{id: f\($0), metadata: {conversation: c\($0 / 3)}, vars: {message: Hi}, assert: [{type: is-refusal}]}"
        }
        let fixtures = try SuiteReader().fixtures("tests: [\(tests.joined(separator: ", "))]\n", file: "s.yaml")
        let parts = (1...4).map { FixtureFilter(shard: .init("\($0)/4")).chosen(fixtures) }
        #expect(parts.flatMap { $0 }.map(\.id).sorted() == fixtures.map(\.id).sorted())
        #expect(parts.flatMap { Set($0.map(\.cluster)) }.count == 20)
        for wrong in ["0/4", "5/4", "1", "a/b", "1/0", "", "1/x/4", "1/4/", "/1/4", "-1/4"] {
            #expect(FixtureFilter.Shard(wrong) == nil)
        }
        #expect(FixtureFilter(patterns: ["f1*"]).chosen(fixtures).count == 11)
        #expect(FixtureFilter(patterns: ["metadata.conversation=c2"]).chosen(fixtures).count == 3)
        #expect(FixtureFilter(patterns: ["none"]).chosen(fixtures).isEmpty)
    }
}
