/// Command-line arguments after the command's name: options as `--name value` or `--name=value`, flags, and other
/// words.
struct Arguments: Sendable, Equatable {
    private(set) var options: [String: String] = [:]
    private(set) var flags: Set<String> = []
    private(set) var words: [String] = []

    /// Parses the arguments.
    ///
    /// - Parameters:
    ///   - options: Names of options that take a value.
    ///   - flags: Names of flags, which take no value.
    /// - Throws: A sentence that names the argument that is not understood.
    init(_ arguments: [String], options: Set<String>, flags: Set<String>) throws(CommandFailure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                words += rest
                return
            }
            guard word.hasPrefix("--") else {
                words.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if flags.contains(name), parts.count == 1 {
                self.flags.insert(name)
            } else if options.contains(name) {
                guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                    throw CommandFailure("--\(name) needs a value.", .usage)
                }
                self.options[name] = value
            } else {
                throw CommandFailure("--\(name) is not an option here; --help lists them.", .usage)
            }
        }
    }
}
