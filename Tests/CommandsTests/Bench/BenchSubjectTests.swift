import Testing

@testable import Commands

@Suite struct BenchSubjectTests {
    @Test(
        arguments: [
            ("Hearth answers at http://127.0.0.1:8080. Try it:\n", "http://127.0.0.1:8080"),
            ("starting\nlistening http://127.0.0.1:9000\n", "http://127.0.0.1:9000"),
        ]
    )
    func `a program's address is in the line that says where it listens`(output: String, address: String) {
        #expect(BenchTarget.address(in: output) == address)
    }

    @Test(arguments: ["", "listening http://127.0.0.1:90", "the model is at http://127.0.0.1:9000\n", "listening\n"])
    func `half a line, or another, has none`(output: String) {
        #expect(BenchTarget.address(in: output) == nil)
    }
}
