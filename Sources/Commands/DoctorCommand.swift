import Foundation
import PostgresStore
import Runtime

/// `hearth doctor`: prints the effective settings with their origins, and what is missing with the command that
/// installs it.
enum DoctorCommand: Command {
    static let name = "doctor"
    static let summary =
        "Print the effective settings with their origins, and what is missing with the command that installs it."
    static let flags = [(name: "json", summary: "Print JSON, one object per line.")]

    static func run(_ arguments: Arguments, _ settings: Settings) async throws(CommandFailure) -> ExitCode {
        let asJSON = arguments.flags.contains("json")
        for key in SettingKey.allCases {
            let line = SettingLine(key, settings[key])
            Terminal.out(asJSON ? line.json : line.text)
        }
        let checks = await HealthCheck.all(settings)
        for check in checks { Terminal.out(asJSON ? check.json : check.text) }
        return checks.contains { !$0.isWell } ? .missing : .success
    }
}

/// A setting as the doctor prints it; the value of a secret is never shown.
struct SettingLine: Sendable {
    private let key: SettingKey
    private let value: Settings.Value

    init(_ key: SettingKey, _ value: Settings.Value) {
        self.key = key
        self.value = value
    }

    private var shown: String {
        value.text.isEmpty ? "-" : key.isSecret ? "(set)" : value.text
    }

    var text: String {
        let name = key.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0)
        return "\(name)\(shown)  (\(value.origin))"
    }

    var json: String {
        var text = "{\"setting\":\"\(key.rawValue)\",\"value\":"
        text.appendJSONString(shown)
        text += ",\"origin\":"
        text.appendJSONString(value.origin.description)
        return text + "}"
    }
}
