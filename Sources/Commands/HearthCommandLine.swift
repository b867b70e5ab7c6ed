import API
import Foundation

/// Finds the subcommand of a command line and runs it.
package enum HearthCommandLine {
    static let commands: [any Command.Type] = [
        UpCommand.self, ServeCommand.self, MigrateCommand.self, DoctorCommand.self, SayCommand.self, ChatCommand.self,
        ScreenCommand.self, EnrolCommand.self, KeysCommand.self, OperatorsCommand.self, AlertsCommand.self,
        PromptsCommand.self,
        EvalsCommand.self, BenchCommand.self,
    ]

    /// Runs a command line without the program's name; returns the exit code of the process.
    package static func run(_ words: [String]) async -> ExitCode {
        guard let name = words.first, name != "--help", name != "help" else {
            Terminal.out(Help.overview)
            return words.isEmpty ? .usage : .success
        }
        guard name != "--version" else {
            Terminal.out("hearth, interface version \(Routes.version)")
            return .success
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            Terminal.error("hearth has no command \"\(name)\"; hearth --help lists them.")
            return .usage
        }
        guard !words.contains("--help") else {
            Terminal.out(Help.of(command))
            return .success
        }
        return await run(command, Array(words.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ words: [String]) async -> ExitCode {
        do throws(CommandFailure) {
            let names = SettingKey.allCases.map(\.rawValue)
            let arguments = try Arguments(
                words,
                options: Set(names + command.options.map(\.name)),
                flags: Set(command.flags.map(\.name))
            )
            let settings = try Settings.current(arguments.options.filter { names.contains($0.key) })
            return try await command.run(arguments, settings)
        } catch {
            Terminal.error(error.sentence)
            return error.exitCode
        }
    }
}
