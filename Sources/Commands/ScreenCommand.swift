import Conversation
import Foundation
import Runtime
import Safety

/// `hearth screen`: what the screens say of each text of standard input, a JSON object a line, in the order of the input.
///
/// A line that cannot be read gets an object with `error` and `line` in its place; the others are screened all the same.
enum ScreenCommand: Command {
    static let name = "screen"
    static let summary = "Screen texts: JSON lines {\"id\",\"text\"} in, verdicts out; no server, no database."
    static let flags = [(name: "explain", summary: "Add every finding with its rule, span and guards.")]

    private struct Line {
        let id: String
        let text: String
    }

    /// - Throws: ``CommandFailure`` also when a rule pack is missing: what only its rules find would pass as harmless.
    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let sink = StandardErrorSink()
        let safety = try SafetyParts.make(settings, log: Log(to: sink, minimum: .warning))
        guard safety.readiness.state == .ready else {
            sink.flush()
            throw CommandFailure(
                "Not every rule pack is in force, so nothing is screened. \(safety.readiness.detail)",
                .missing
            )
        }
        let explains = arguments.flags.contains("explain")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var exitCode = ExitCode.success
        for (index, bytes) in InputLines().enumerated() where !bytes.allSatisfy(Self.blanks.contains) {
            do throws(CommandFailure) {
                let verdict = verdict(of: try line(bytes), safety, explains: explains)
                guard let json = try? encoder.encode(verdict) else { throw CommandFailure("has no verdict") }
                Terminal.out(String(decoding: json, as: UTF8.self))
            } catch {
                let fault: JSONValue = ["error": .string(error.sentence), "line": .integer(index + 1)]
                Terminal.out(fault.text)
                Terminal.error("Line \(index + 1) of the input \(error.sentence).")
                exitCode = error.exitCode
            }
        }
        return exitCode
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]

    private static func line(_ bytes: [UInt8]) throws(CommandFailure) -> Line {
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONReader.read(bytes)
        } catch {
            throw CommandFailure("cannot be read: \(error.reason)", .usage)
        }
        guard let id = value["id"]?.string, let text = value["text"]?.string else {
            throw CommandFailure("is no object with \"id\" and \"text\"", .usage)
        }
        return Line(id: id, text: text)
    }

    private static func verdict(of line: Line, _ safety: SafetyParts, explains: Bool) -> ScreenVerdict {
        let now = Date()
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: line.text, spokenAt: now, receivedAt: now)
        let screening = safety.screen.screen(line.text)
        let decision = safety.policy.decide(turn, screening, memory: nil, at: now)
        let output = safety.output.screen(line.text, answering: turn, decision)
        return ScreenVerdict(id: line.id, screening, output, explains: explains)
    }
}
