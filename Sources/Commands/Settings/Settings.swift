import Foundation
import Runtime

/// The effective settings: flags before environment before hearth.yaml before defaults.
struct Settings: Sendable {
    struct Value: Sendable, Equatable {
        let text: String
        let origin: SettingOrigin
    }

    private let values: [SettingKey: Value]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - options: Options of the command line, by name without dashes.
    ///   - environment: The process's environment.
    ///   - file: The text of hearth.yaml with its path; nil when there is none.
    /// - Throws: A sentence with the file and line, or the name, of what is wrong.
    init(
        options: [String: String],
        environment: [String: String],
        file: (path: String, text: String)?
    ) throws(CommandFailure) {
        let written =
            try file.map { file throws(CommandFailure) in try SettingsFile.read(file.text, path: file.path) } ?? [:]
        var values: [SettingKey: Value] = [:]
        for key in SettingKey.allCases {
            values[key] = Self.value(of: key, options, environment, written)
        }
        self.values = values
        try SettingsRules.check(self)
    }

    /// The settings of this process.
    static func current(_ options: [String: String]) throws(CommandFailure) -> Settings {
        let environment = ProcessInfo.processInfo.environment
        let path = environment["HEARTH_SETTINGS"] ?? "hearth.yaml"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        if text == nil, environment["HEARTH_SETTINGS"] != nil {
            throw CommandFailure("The settings file \(path) cannot be read.", .usage)
        }
        return try Settings(options: options, environment: environment, file: text.map { (path, $0) })
    }

    /// A value with where it came from.
    subscript(_ key: SettingKey) -> Value { values[key] ?? Value(text: key.defaultValue, origin: .standard) }

    /// A value's text; nil when it is empty.
    func text(_ key: SettingKey) -> String? {
        let text = self[key].text
        return text.isEmpty ? nil : text
    }

    /// A value that has been validated as a whole number.
    func integer(_ key: SettingKey) -> Int { Int(self[key].text) ?? 0 }

    /// A value that has been validated as a number.
    func number(_ key: SettingKey) -> Double { Double(self[key].text) ?? 0 }

    /// A value in milliseconds.
    func duration(_ key: SettingKey) -> Duration { .milliseconds(integer(key)) }

    /// A folder's path, made absolute.
    func folder(_ key: SettingKey) -> String {
        URL(fileURLWithPath: self[key].text).standardizedFileURL.path
    }

    /// How many event loops there are.
    var loopCount: Int {
        integer(.loops) == 0 ? ProcessInfo.processInfo.activeProcessorCount : integer(.loops)
    }

    /// The least level that is logged.
    var logLevel: Log.Level { Log.Level.allCases.first { $0.name == self[.logLevel].text } ?? .info }

    private static func value(
        of key: SettingKey,
        _ options: [String: String],
        _ environment: [String: String],
        _ written: [String: Value]
    ) -> Value {
        if let text = options[key.rawValue] { return Value(text: text, origin: .flag) }
        for name in [key.environmentName] + key.foreignNames {
            if let text = environment[name], !text.isEmpty { return Value(text: text, origin: .environment(name)) }
        }
        if let value = written[key.fileName] { return value }
        return Value(text: key.defaultValue, origin: .standard)
    }
}
