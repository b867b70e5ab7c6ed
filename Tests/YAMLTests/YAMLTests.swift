import Testing
import YAML

/// Documents that are read, and refusals.
struct YAMLTests {
    @Test func `a mapping keeps its order and every node its place`() throws {
        let root = try YAML.parse("b: 1\na:\n  - x\n  - y: 'z'\n", file: "t.yaml")
        let map = try root.mapping()
        #expect(map.keys == ["b", "a"])
        let second = try map.required("a").sequence()[1]
        #expect(second.position.description == "t.yaml:4:5")
        #expect(try second.mapping().string("y") == "z")
    }

    @Test(arguments: [("12", 12), ("-3", -3), ("1_000", 1000)])
    func `whole numbers are read`(text: String, value: Int) throws {
        #expect(try YAML.parse(text).integer() == value)
    }

    @Test(arguments: ["'12'", "1.5", "twelve", "[1]", "", "0x1F", "99999999999999999999"])
    func `what is no whole number is refused`(text: String) {
        #expect(throws: YAMLError.self) { try YAML.parse("a: \(text)").mapping().required("a").integer() }
    }

    @Test func `each style of scalar is told from the others`() throws {
        let text = "- plain\n- 'single'\n- \"dou\\u00e9\"\n- |\n  kept\n  lines\n- >\n  joined\n  lines\n- !!str 12\n"
        let styles = try YAML.parse(text).sequence().map(\.content)
        #expect(
            styles == [
                .scalar("plain", .plain), .scalar("single", .quoted), .scalar("doué", .quoted),
                .scalar("kept\nlines\n", .literal), .scalar("joined lines\n", .folded), .scalar("12", .quoted),
            ]
        )
    }

    @Test(arguments: ["yes", "no", "on", "True", "'true'", "1"])
    func `only true and false are booleans`(text: String) {
        #expect(throws: YAMLError.self) { try YAML.parse(text).bool() }
    }

    @Test func `an enumeration names its choices when none fits`() throws {
        #expect(try YAML.parse("warm").choice(of: Tone.self) == .warm)
        let error = #expect(throws: YAMLError.self) { try YAML.parse("loud", file: "f").choice(of: Tone.self) }
        #expect(error?.description == "f:1:1: expected one of warm, brisk, found \"loud\"")
    }

    @Test func `null reads as absent and nothing reads as text`() throws {
        let map = try YAML.parse("a: ~\nb: ''\nc:\n").mapping()
        #expect(map["a"] == nil && map["c"] == nil)
        #expect(try map.string("b") == "")
        #expect(throws: YAMLError.self) { try map.string("a") }
    }

    @Test func `an unknown key is named with its line`() throws {
        let root = try YAML.parse("name: x\ntpye: y\n", file: "f")
        let error = #expect(throws: YAMLError.self) { try root.mapping(of: "name", "type") }
        #expect(error?.description == "f:2:1: unknown key \"tpye\"; known are name, type")
    }

    @Test func `a repeated key is refused with both lines`() {
        let error = #expect(throws: YAMLError.self) { try YAML.parse("a: 1\nb: 2\na: 3\n", file: "f") }
        #expect(error == .duplicateKey(at: YAMLPosition(file: "f", line: 3, column: 1), key: "a", firstLine: 1))
    }

    @Test func `an alias stands for its anchor`() throws {
        let map = try YAML.parse("a: &x [1, 2]\nb: *x\n").mapping()
        #expect(try map.required("b").sequence().count == 2)
    }

    @Test func `a merge key lends entries, when it is asked for, and a mapping's own come first`() throws {
        let text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], z: 5}\nd: {w: 0, <<: *a, \"<<\": 9}\n"
        let map = try YAML.parse(text, mergingKeys: true).mapping()
        func entries(_ key: String) throws -> [String] {
            try map.required(key).mapping().entries.map { "\($0.key)=\(try $0.value.string())" }
        }
        #expect(try entries("c") == ["z=5", "x=1", "y=2"])
        #expect(try entries("d") == ["w=0", "<<=9", "x=1", "y=2"])
        for wrong in ["<<: 1", "<<: [1]", "a: &a [1]\nb: {<<: *a}", "x: {<<: {a: 1}, a: 2, a: 3}"] {
            #expect(throws: YAMLError.self) { try YAML.parse(wrong, mergingKeys: true) }
        }
    }

    @Test(arguments: [
        "", "# nothing\n", "a: [1", "a: b: c", "\"open", "a: 1\n---\nb: 2\n", "? [1]\n: 2", "<<: {a: 1}", "a: *b",
        "&a [*a]", "!python/object x", "!!binary aGk=", "!!map [1]", "a:\n\t- b", "%YAML 9.9\n---\na",
        "a: \u{1}", "- a\nb: 1",
    ])
    func `what is not one plain document is refused`(text: String) {
        #expect(throws: YAMLError.self) { try YAML.parse(text) }
    }

    @Test func `nesting is bounded`() throws {
        let limits = YAML.Limits(depth: 3)
        #expect(throws: Never.self) { try YAML.parse("[[[1]]]", limits: limits) }
        #expect(throws: YAMLError.self) { try YAML.parse("[[[[1]]]]", limits: limits) }
        #expect(throws: YAMLError.self) { try YAML.parse(String(repeating: "[", count: 1 << 20)) }
        #expect(throws: YAMLError.self) { try YAML.parse(String(repeating: "a: ", count: 1 << 20)) }
    }

    @Test func `aliases cannot multiply beyond the limit of nodes`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...8 {
            let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(items)]\n"
        }
        #expect(throws: YAMLError.self) { try YAML.parse(text) }
    }

    @Test func `aliases cannot nest deeper than collections may`() {
        var text = "a0: &a0 [x]\n"
        for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let error = #expect(throws: YAMLError.self) { try YAML.parse(text, file: "f") }
        guard case .tooDeep(let at, 32) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(at.line == 32)
        let nested = "a: &a [[[x]]]\nb: [[*a]]\n"
        #expect(throws: Never.self) { try YAML.parse(nested, limits: .init(depth: 6)) }
        #expect(throws: YAMLError.self) { try YAML.parse(nested, limits: .init(depth: 5)) }
    }

    @Test func `an anchor inside itself is refused where it is used`() {
        let error = #expect(throws: YAMLError.self) { try YAML.parse("a: 1\nb: &b [1, *b]\n", file: "f") }
        #expect(error == .unknownAlias(at: YAMLPosition(file: "f", line: 2, column: 11), name: "b"))
    }

    @Test func `length is bounded`() {
        let text = String(repeating: "x", count: 101)
        let error = #expect(throws: YAMLError.self) { try YAML.parse(text, file: "f", limits: .init(bytes: 100)) }
        #expect(error == .tooLarge(file: "f", bytes: 101, limit: 100))
    }

    @Test func `a syntax error says where it is`() {
        let error = #expect(throws: YAMLError.self) { try YAML.parse("a: 1\nb: [1,\nc: 2\n", file: "rules.yaml") }
        #expect(error?.description.hasPrefix("rules.yaml:") == true)
    }
}

private enum Tone: String, CaseIterable { case warm, brisk }

@Suite struct `JSON as YAML` {
    private func message(_ text: String, file: String = "suite.json") throws -> String {
        try YAML.parse(text, file: file).mapping().string("m")
    }

    @Test func `reads a character beyond the first plane that is escaped in two halves`() throws {
        #expect(try message(#"{"m": "a\ud83d\ude00b"}"#) == "a\u{1F600}b")
        #expect(try message(#"{"m": "\\ud83d\\ude00"}"#) == #"\ud83d\ude00"#, "escaped backslashes are no escape")
        #expect(try message(#"{"m": "\u00e9\n\\"}"#) == "é\n\\")
        #expect(throws: YAMLError.self) { try message(#"{"m": "\ud83d"}"#) }
        #expect(throws: YAMLError.self) { try message(#"{"m": "\ude00\ud83d"}"#) }
    }
}
