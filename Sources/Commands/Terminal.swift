import Foundation
import Runtime

/// Where commands write: results on standard output, everything else on standard error.
enum Terminal {
    /// Writes a result line.
    static func out(_ text: String) {
        StandardStream.output.write(text + "\n")
    }

    /// Writes a sentence for the person at the terminal.
    static func error(_ text: String) {
        StandardStream.error.write(text + "\n")
    }

    /// Reads a line of standard input on a thread of its own; nil at the end of the input.
    static func line(prompt: String) async -> String? {
        if isatty(STDIN_FILENO) == 1 { StandardStream.error.write(prompt) }
        let read = OneShot<String?>()
        Thread.detachNewThread { read.settle(readLine()) }
        return await read.value(ifCancelled: nil)
    }

    /// Whether results may be coloured: on a terminal, unless NO_COLOR is set (no-color.org).
    static var isColoured: Bool {
        ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty != false && isatty(STDOUT_FILENO) == 1
    }

    /// Text in a colour of the terminal, 30 to 37; plain where colours are not wanted.
    static func coloured(_ text: String, _ colour: Int) -> String {
        isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
