import Foundation
import Runtime

/// Output of commands: results on standard output, everything else on standard error.
enum Terminal {
    /// Prints a result line.
    static func out(_ text: String) {
        StandardStream.output.write(text + "\n")
    }

    /// Prints a message for the person at the terminal.
    static func error(_ text: String) {
        StandardStream.error.write(text + "\n")
    }

    /// Reads a line of standard input on a dedicated thread; nil at the end of the input.
    static func line(prompt: String) async -> String? {
        if isatty(STDIN_FILENO) == 1 { StandardStream.error.write(prompt) }
        let read = OneShot<String?>()
        Thread.detachNewThread { read.settle(readLine()) }
        return await read.value(ifCancelled: nil)
    }

    /// Whether results may be coloured: only on a terminal without NO_COLOR (no-color.org).
    static var isColoured: Bool {
        ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty != false && isatty(STDOUT_FILENO) == 1
    }

    /// Text in an ANSI colour from 30 to 37; unchanged if colours are off.
    static func coloured(_ text: String, _ colour: Int) -> String {
        isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
