import QRCode
import Testing

/// Codes that cameras read.
@Suite struct QRCodeTests {
    /// The pattern in three corners by which a reader finds the code.
    private static let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]

    private func rows(_ code: QRCode, _ top: Int, _ left: Int) -> [String] {
        (0..<7).map { row in
            (0..<7).map { code.isDark[(top + row) * code.side + left + $0] ? "1" : "0" }.joined()
        }
    }

    @Test(arguments: [
        "a", "otpauth://totp/Hearth:ruth@example.org?secret=GEZDGNBVGY3TQOJQ", String(repeating: "x", count: 800),
    ])
    func `a text has a code with its finder patterns`(text: String) throws {
        let code = try #require(QRCode(text))
        #expect((code.side - 17) % 4 == 0 && code.isDark.count == code.side * code.side)
        for (top, left) in [(0, 0), (0, code.side - 7), (code.side - 7, 0)] {
            #expect(rows(code, top, left) == Self.finder)
        }
        // The timing pattern alternates between the finders, and one module is always dark (section 6.3).
        #expect((8..<(code.side - 8)).allSatisfy { code.isDark[6 * code.side + $0] == ($0 % 2 == 0) })
        #expect(code.isDark[(code.side - 8) * code.side + 8])
    }

    @Test func `the picture draws each dark module once, inside the margin`() throws {
        let code = try #require(QRCode("hearth"))
        let size = code.side + 8
        #expect(code.svg.contains("viewBox=\"0 0 \(size) \(size)\""))
        let path = try #require(code.svg.split(separator: "<path d=\"").last?.split(separator: "\"").first)
        var drawn = [Bool](repeating: false, count: code.side * code.side)
        for run in path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(numbers.count == 5 && numbers[2] == numbers[4] && numbers[3] == 1)
            for column in numbers[0]..<(numbers[0] + numbers[2]) {
                let place = (numbers[1] - 4) * code.side + column - 4
                #expect(!drawn[place])
                drawn[place] = true
            }
        }
        #expect(drawn == code.isDark)
    }

    @Test func `other texts have other codes`() {
        #expect(QRCode("a") != QRCode("b") && QRCode("a") == QRCode("a"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 801), String(repeating: "é", count: 401)])
    func `what is empty or too long has none`(text: String) {
        #expect(QRCode(text) == nil)
    }
}
