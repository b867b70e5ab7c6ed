import Foundation
import Runtime
import Testing

@testable import API

@Suite struct SchemaTests {
    private static let shape = Schema.object(
        .required("id", .uuid),
        .optional("count", .integer(1...3)),
        .optional("words", .array(.string(.notBlank), count: 1...2)),
        .optional("inner", .object(.required("flag", .boolean))),
        .optional("either", .either(.string(), .array(.integer(0...9))))
    )

    @Test(
        arguments: [
            "{}", #","count":3"#, #","count":3.0"#, #","count":null"#, #","words":["a"]"#, #","words":["a","b"]"#,
            #","inner":{"flag":true,"more":1}"#, #","either":"x""#, #","either":[1,2]"#, #","unknown":[{}]"#,
        ]
    )
    func `a value that keeps the schema passes`(more: String) throws {
        let text = #"{"id":"00000000-0000-4000-8000-000000000002""# + (more == "{}" ? "}" : more + "}")
        try Self.shape.check(JSONReader.read(Array(text.utf8)))
    }

    @Test(
        arguments: [
            ("[]", ""), ("{}", "id"), (#"{"id":null}"#, "id"), (#"{"id":"x"}"#, "id"),
            (#"{"id":"$","count":0}"#, "count"),
            (#"{"id":"$","count":4}"#, "count"), (#"{"id":"$","count":1.5}"#, "count"),
            (#"{"id":"$","count":true}"#, "count"),
            (#"{"id":"$","count":"1"}"#, "count"), (#"{"id":"$","count":1e400}"#, "count"),
            (#"{"id":"$","words":[]}"#, "words"),
            (#"{"id":"$","words":["a","b","c"]}"#, "words"), (#"{"id":"$","words":["a"," "]}"#, "words[1]"),
            (#"{"id":"$","words":[null]}"#, "words[0]"), (#"{"id":"$","words":{"0":"a"}}"#, "words"),
            (#"{"id":"$","inner":{}}"#, "inner.flag"), (#"{"id":"$","inner":{"flag":0}}"#, "inner.flag"),
            (#"{"id":"$","inner":[]}"#, "inner"), (#"{"id":"$","either":5}"#, "either"),
            (#"{"id":"$","either":[10]}"#, "either"),
        ]
    )
    func `a value that does not is refused by its path`(text: String, path: String) throws {
        let text = text.replacing("$", with: "00000000-0000-4000-8000-000000000002")
        let value = try JSONReader.read(Array(text.utf8))
        let fault = #expect(throws: SchemaFault.self) { try Self.shape.check(value) }
        #expect(fault?.path == path)
    }

    @Test func `what is sent has no member that is not declared`() throws {
        let value: JSONValue = ["id": "00000000-0000-4000-8000-000000000002", "inner": ["flag": true, "more": 1]]
        #expect(throws: SchemaFault.undeclared(path: "inner.more")) { try Self.shape.check(value, isClosed: true) }
    }

    /// Strings about which a rule and its pattern might disagree.
    private static let samples =
        [
            "", "a", " ", "a b", "warm", "very-calm", "-x", "9a", "é", "a\n", "\n", "~", "\u{7F}", "ab\u{0}", "A", "😀",
            "0", "1", "01", "999", "4999", "5000", "5001", "10000", "-1",
            "\u{200B}",
        ]
        + [39, 40, 41, 63, 64, 65, 255, 256].map { String(repeating: "a", count: $0) }
        + ["1.00000000-0000-4000-8000-000000000002", "1.00000000-0000-4000-8000-00000000000A", ".5", "1.x", "١.x"]
        + [
            "1772000000000000.00000000-0000-4000-8000-000000000002",
            "17720000000000000.00000000-0000-4000-8000-000000000002",
        ]

    @Test(arguments: [
        TextRule.notBlank, .plainWords, .cursor, .printableASCII(0...64), .visibleASCII(1...255),
    ])
    func `a rule and the pattern that declares it agree`(rule: TextRule) throws {
        let keyword = try #require(rule.keywords.first { $0.0 == "pattern" }?.1.string)
        let pattern = try NSRegularExpression(pattern: keyword.hasSuffix("$") ? keyword.dropLast() + "\\z" : keyword)
        for sample in Self.samples {
            let range = NSRange(sample.startIndex..., in: sample)
            let matches = pattern.firstMatch(in: sample, range: range) != nil
            #expect(matches == rule.holds(sample), "\(rule): \(sample.debugDescription)")
        }
    }

    @Test func `blank is the same to the rule and to its pattern for every character`() throws {
        let pattern = try NSRegularExpression(pattern: BlankText.pattern)
        for value in Array(UInt32(0)...0xFFFF) + [
            0x1BC9F, 0x1BCA0, 0x1D173, 0x1F600, 0xDFFFF, 0xE0000, 0xE0FFF, 0xE1000,
        ] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(scalar)
            let isBlank = pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil
            #expect(isBlank == BlankText.isBlank(text), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `what nobody can see is blank, and what has a picture is not`() {
        let unseen: [UInt32] = [
            0x3164, 0xFFA0, 0x2800, 0x34F, 0xFE0F, 0xE0020, 0xE0100, 0x115F, 0x1160, 0x17B4, 0x180B, 0x1D173, 0x200B,
        ]
        for value in unseen {
            #expect(Unicode.Scalar(value).map(BlankText.isBlank) == true, "U+\(String(value, radix: 16))")
        }
        let seen: [UInt32] = [0x2801, 0x3163, 0x3165, 0x350, 0x1F600, 0xFFFC, 0xFFFD, 0x17B6, 0x1161, 0xFF9F, 0x30A2]
        for value in seen {
            #expect(Unicode.Scalar(value).map(BlankText.isBlank) == false, "U+\(String(value, radix: 16))")
        }
    }

    @Test func `every character that Unicode calls ignorable is blank`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isDefaultIgnorableCodePoint else { continue }
            #expect(BlankText.isBlank(scalar), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `every white space of Unicode is blank`() {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isWhitespace else { continue }
            #expect(BlankText.isBlank(scalar))
        }
    }

    @Test func `the schema is described as it is checked`() throws {
        let described = Self.shape.described
        #expect(described["required"] == ["id"])
        let properties = try #require(described["properties"])
        #expect(properties["id"] == ["type": "string", "format": "uuid"])
        #expect(properties["count"] == ["type": ["integer", "null"], "minimum": 1, "maximum": 3])
        #expect(properties["words"]?["minItems"] == 1)
        #expect(properties["either"]?["anyOf"]?.array?.count == 3)
        let word = Schema.string(.oneOf(["a"])).noted("A word.").orNull.described
        #expect(word["anyOf"] == [["type": "string", "enum": ["a"]], ["type": "null"]])
        #expect(word["description"] == "A word.")
    }
}
