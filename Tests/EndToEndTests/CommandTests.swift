import Foundation
import Testing

/// The built `hearth` as a command at a terminal or in a script.
@Suite(.timeLimit(.minutes(1)))
struct CommandTests {
    @Test(arguments: ["2>/dev/full", "2>&-"])
    func `a reader of its messages that has gone does not crash a command`(_ redirection: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", "\"$0\" no-such-command \(redirection)", HearthProcess.binary]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationReason == .exit)
        #expect(shell.terminationStatus == 2)
    }
}
