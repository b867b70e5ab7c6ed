/// Help texts, generated from the commands and settings.
enum Help {
    /// Help for all commands and settings.
    static var overview: String {
        let commands = HearthCommandLine.commands.map { ($0.name, $0.summary) }
        let settings = SettingKey.allCases.map { key in
            ("--\(key.rawValue)", key.summary + (key.defaultValue.isEmpty ? "" : " Default: \(key.defaultValue)."))
        }
        return """
            hearth answers what an older person says, in under five seconds, and sees that danger reaches a human.

            Commands (hearth COMMAND --help says more, hearth --version says which interface it has):
            \(table(commands))

            Settings, for every command, also as HEARTH_… in the environment or in hearth.yaml:
            \(table(settings))

            Exit codes: 0 done, 1 failed, 2 called wrongly, 3 something is missing, 4 the service refused, 10 something was found. Of evals
            also: 10 failed, 11 worse than the base, 12 inconclusive, 13 no recording, 14 infrastructure, 15 budget spent, 130 stopped.
            """
    }

    /// Help for one command.
    static func of(_ command: any Command.Type) -> String {
        let options =
            command.options.map { ("--\($0.name) VALUE", $0.summary) }
            + command.flags.map { ("--\($0.name)", $0.summary) }
        let usage =
            "hearth \(command.name)" + (options.isEmpty ? "" : " [options]")
            + (command.words.isEmpty ? "" : " \(command.words)")
        return "\(command.summary)\n\nUsage: \(usage)" + (options.isEmpty ? "" : "\n\n\(table(options))")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = (rows.map { $0.0.count }.max() ?? 0) + 2
        return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))\($1)" }.joined(separator: "\n")
    }
}
