import Conversation
import Foundation
import Runtime
import Safety

/// `hearth screen`: what the screens say of each text of standard input, a JSON object a line, in the order of the input.
enum ScreenCommand: Command {
    static let name = "screen"
    static let summary = "Screen texts: JSON lines {\"id\",\"text\"} in, verdicts out; no server, no database."
    static let flags = [(name: "explain", summary: "Add every finding with its rule, span and guards.")]

    private struct Line: Decodable {
        let id: String
        let text: String
    }

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let safety = try SafetyParts.make(settings, log: Log(to: StandardErrorSink(), minimum: .warning))
        let explains = arguments.flags.contains("explain")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var number = 0
        while let text = readLine() {
            number += 1
            guard !text.isEmpty else { continue }
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else {
                throw CommandFailure("Line \(number) of the input is no object with \"id\" and \"text\".", .usage)
            }
            let verdict = verdict(of: line, safety, explains: explains)
            guard let json = try? encoder.encode(verdict) else {
                throw CommandFailure("Line \(number) has no verdict.")
            }
            Terminal.out(String(decoding: json, as: UTF8.self))
        }
        return .success
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
