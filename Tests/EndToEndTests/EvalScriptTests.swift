import Foundation
import TestSupport
import Testing

/// `scripts/eval`, which `make eval` is: its exit is the first verdict that is not green, and never green by accident.
@Suite(.timeLimit(.minutes(1))) struct EvalScriptTests {
    /// Runs the script with a stand-in whose runs exit as given, in their order.
    private func exit(_ codes: [Int32], through program: [String] = ["scripts/eval"]) throws -> (Int32, String) {
        let scratch = try ScratchFolder()
        let standIn = scratch.path("hearth")
        try """
        #!/usr/bin/env bash
        count=$(cat "$0.count" 2>/dev/null || echo 0)
        echo $((count + 1)) > "$0.count"
        codes=(\(codes.map(String.init).joined(separator: " ")))
        exit "${codes[$count]}"
        """.write(toFile: standIn, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: standIn)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = program
        process.currentDirectoryURL = URL(fileURLWithPath: HearthProcess.root)
        process.environment = [
            "PATH": "/usr/bin:/bin", "HEARTH": standIn, "HEARTH_EVAL_FOLDER": scratch.path("evals"),
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test(
        arguments: [
            ([0, 0], 0), ([10, 0], 10), ([13, 0], 13), ([0, 11], 11), ([0, 12], 12), ([10, 14], 10), ([0, 127], 127),
            ([139, 0], 139),
        ] as [([Int32], Int32)]
    )
    func `it exits by the first verdict that is not green`(codes: [Int32], expected: Int32) throws {
        let (status, said) = try exit(codes)
        #expect(status == expected, "\(said)")
        #expect(said.contains("offline exit \(codes[0]), live exit \(codes[1])"), "\(said)")
    }

    @Test func `offline means that nothing is run live`() throws {
        let (status, said) = try exit([13], through: ["scripts/eval", "--offline"])
        #expect(status == 13 && said.contains("offline exit 13") && !said.contains("live exit"), "\(said)")
    }

    /// make turns every failure into 2, which is no verdict's code, so that nobody takes it for one.
    @Test func `through make every failure stays one`() throws {
        for codes: [Int32] in [[10, 0], [13, 0], [0, 11]] {
            #expect(try exit(codes, through: ["make", "--no-print-directory", "-o", "release", "eval"]).0 != 0)
        }
    }
}
