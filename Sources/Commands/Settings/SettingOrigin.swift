/// Origin of a setting's value.
enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
    case flag
    case environment(String)
    case file(String, line: Int)
    case standard

    var description: String {
        switch self {
        case .flag: "command line"
        case .environment(let name): name
        case .file(let path, let line): "\(path):\(line)"
        case .standard: "default"
        }
    }
}
