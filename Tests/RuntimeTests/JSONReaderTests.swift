import Testing

@testable import Runtime

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), (" true ", true), ("[]", []), ("{}", [:]), ("\"a\"", "a"), ("-0", .number("-0")),
            ("1.5e-3", .number("1.5e-3")), ("[1,[2,[3]]]", [1, [2, [3]]]),
            ("{\"a\":{\"b\":null}}", ["a": ["b": .null]]),
            (#""\u00e9\n\"\\\/\b\f\r\t""#, "é\n\"\\/\u{8}\u{C}\r\t"), (#""\ud83d\ude00""#, "😀"),
            ("\"\u{7F}é😀\"", "\u{7F}é😀"),
            (#""\u0000""#, "\u{0}"), ("\t\r\n [ 1 , 2 ] \n", [1, 2]),
            (#"{"é":1,"e\u0301":2}"#, .object([.init(name: "é", value: 1), .init(name: "e\u{301}", value: 2)])),
        ] as [(String, JSONValue)]
    )
    func `a valid text is read as it stands`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("", JSONFault.empty), ("  \n", .empty), ("nul", .unexpectedEnd(offset: 3)),
            ("nulL", .unexpectedByte(UInt8(ascii: "L"), offset: 3)),
            ("True", .unexpectedByte(UInt8(ascii: "T"), offset: 0)),
            ("{\"a\" 1}", .unexpectedByte(UInt8(ascii: "1"), offset: 5)),
            ("{\"a\":1,}", .unexpectedByte(UInt8(ascii: "}"), offset: 7)),
            ("[1,]", .unexpectedByte(UInt8(ascii: "]"), offset: 3)),
            ("[1 2]", .unexpectedByte(UInt8(ascii: "2"), offset: 3)),
            ("{a:1}", .unexpectedByte(UInt8(ascii: "a"), offset: 1)),
            ("'a'", .unexpectedByte(UInt8(ascii: "'"), offset: 0)), ("[1", .unexpectedEnd(offset: 2)),
            ("{\"a\":", .unexpectedEnd(offset: 5)), ("\"abc", .unexpectedEnd(offset: 4)),
            ("\"a\nb\"", .controlCharacter(0x0A, offset: 2)), ("\"\u{0}\"", .controlCharacter(0, offset: 1)),
            (#""\x""#, .invalidEscape(offset: 1)), (#""\u12g4""#, .invalidEscape(offset: 1)),
            (#""\u12"#, .unexpectedEnd(offset: 5)),
            (#""\ud83d""#, .loneSurrogate(offset: 1)), (#""\ude00""#, .loneSurrogate(offset: 1)),
            (#""\ud83dx\ude00""#, .loneSurrogate(offset: 1)), (#""\ud83d\u0041""#, .loneSurrogate(offset: 1)),
            ("01", .invalidNumber(offset: 0)), ("-", .invalidNumber(offset: 0)), ("1.", .invalidNumber(offset: 0)),
            (".5", .unexpectedByte(UInt8(ascii: "."), offset: 0)),
            ("+1", .unexpectedByte(UInt8(ascii: "+"), offset: 0)),
            ("1e", .invalidNumber(offset: 0)), ("NaN", .unexpectedByte(UInt8(ascii: "N"), offset: 0)),
            ("1 1", .trailing(offset: 2)),
            ("{}x", .trailing(offset: 2)), ("{\"a\":1,\"b\":2,\"a\":3}", .duplicateName(offset: 13)),
            (#"{"a":1,"\u0061":2}"#, .duplicateName(offset: 7)),
            ("// no\n1", .unexpectedByte(UInt8(ascii: "/"), offset: 0)),
            ("\u{FEFF}{}", .unexpectedByte(0xEF, offset: 0)),
        ] as [(String, JSONFault)]
    )
    func `a malformed text is refused at the byte where it goes wrong`(text: String, fault: JSONFault) {
        #expect(throws: fault) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC3, 0x28, 0x22], 1), ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2),
            ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82], 1),
        ] as [([UInt8], Int)]
    )
    func `bytes that are no UTF-8 are refused where they begin`(bytes: [UInt8], offset: Int) {
        #expect(throws: JSONFault.invalidUTF8(offset: offset)) { try JSONReader.read(bytes) }
    }

    @Test func `nesting is bounded`() throws {
        let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try JSONReader.read(Array(deepest.utf8))
        #expect(throws: JSONFault.tooDeep(limit: 32, offset: 32)) {
            try JSONReader.read(Array(String(repeating: "[", count: 100_000).utf8))
        }
    }

    @Test func `what is written is read again as the same value`() throws {
        let value: JSONValue = ["a": [1, .number("2.50"), "\u{1}\"\\😀\n", .null, true], "b": [:], "c": []]
        #expect(try JSONReader.read(value.bytes) == value)
        #expect(try JSONReader.read(Array(value.indentedText.utf8)) == value)
        #expect(value.text == #"{"a":[1,2.50,"\u0001\"\\😀\n",null,true],"b":{},"c":[]}"#)
    }

    @Test func `the canonical form has one order of members`() throws {
        let one = try JSONReader.read(Array(#"{"b":[{"d":1,"c":2}],"a":null}"#.utf8))
        let other = try JSONReader.read(Array(#"{ "a": null, "b": [ {"c":2,"d":1} ] }"#.utf8))
        #expect(one.canonical.text == #"{"a":null,"b":[{"c":2,"d":1}]}"#)
        #expect(one.canonical.text == other.canonical.text)
    }

    @Test(
        arguments: [
            ("20", 20), ("20.0", 20), ("2e1", 20), ("-3", -3), ("1.5", nil), ("99999999999999999999", nil),
            ("1e400", nil),
        ] as [(String, Int?)]
    )
    func `a number is a whole one by its value, not by its spelling`(literal: String, value: Int?) throws {
        #expect(try JSONReader.read(Array(literal.utf8)).integer == value)
    }
}
