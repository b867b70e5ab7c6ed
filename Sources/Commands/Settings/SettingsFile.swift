import YAML

/// Reads hearth.yaml: one mapping of setting names to scalar values.
enum SettingsFile {
    /// Values by name, each with its line.
    static func read(_ text: String, path: String) throws(CommandFailure) -> [String: Settings.Value] {
        do throws(YAMLError) {
            let mapping = try YAML.parse(text, file: path).mapping()
            try mapping.refuseKeys(except: SettingKey.allCases.map(\.fileName))
            var values: [String: Settings.Value] = [:]
            for entry in mapping.entries where !entry.value.isNull {
                let origin = SettingOrigin.file(path, line: entry.position.line)
                values[entry.key] = Settings.Value(text: try entry.value.string(), origin: origin)
            }
            return values
        } catch .empty {
            return [:]
        } catch {
            throw CommandFailure("\(error)", .usage)
        }
    }
}
