package import YAML

/// The file that says, in the repository of the prompts, which bundle is in force where, which models are trusted with which
/// bundle, and on which evidence.
///
/// Its history is the history of the environments; `hearth prompts` writes it, and people review it.
package struct PromptLock: Sendable, Equatable {
    /// The file's name, beside the prompts.
    package static let name = "prompts.lock"

    /// What is in force in one environment.
    package struct Entry: Sendable, Equatable {
        /// The bundle's digest.
        package let bundle: String
        /// The eval run that justified it.
        package let run: String
        /// The digest of the run's fixtures; nil when the lock does not know it.
        package let suite: String?

        /// Makes an entry.
        package init(bundle: String, run: String, suite: String?) {
            self.bundle = bundle
            self.run = run
            self.suite = suite
        }
    }

    /// The environments.
    package var environments: [String: Entry]
    /// The pairs of a model and a bundle that are trusted, the oldest first.
    package var trusted: [TrustedModel]
    /// The files and folders of fixtures that a promotion asks for, under the folder of fixtures; none for that folder itself.
    ///
    /// People write them; a change of what is in force leaves them as they are.
    package var suites: [String]

    /// Makes a lock.
    package init(_ environments: [String: Entry] = [:], trusted: [TrustedModel] = [], suites: [String] = []) {
        self.environments = environments
        self.trusted = trusted
        self.suites = suites
    }

    /// Reads a lock.
    package init(_ text: String, file: String = PromptLock.name) throws(YAMLError) {
        environments = [:]
        trusted = []
        suites = []
        let root: YAMLMapping
        do throws(YAMLError) {
            root = try YAML.parse(text, file: file).mapping()
        } catch .empty {
            return
        }
        trusted = try root[Self.trustedKey]?.sequence().map { node throws(YAMLError) in try TrustedModel(node) } ?? []
        suites = try root[Self.suitesKey]?.sequence().map { node throws(YAMLError) in try node.string() } ?? []
        for entry in root.entries where entry.key != Self.trustedKey && entry.key != Self.suitesKey {
            let mapping = try entry.value.mapping()
            try mapping.refuseKeys(except: ["bundle", "run", "suite"])
            environments[entry.key] = Entry(
                bundle: try mapping.string("bundle"),
                run: try mapping.string("run"),
                suite: try mapping["suite"]?.string()
            )
        }
    }

    /// The lock as it is written, in order of the environments' names.
    package var text: String {
        let head =
            "# Which bundle is in force where, which models are trusted with which bundle, and the eval runs that justify it.\n"
            + "# Written by `hearth prompts`.\n"
        let demanded = suites.isEmpty ? "" : "\(Self.suitesKey):\n" + suites.map { "  - \(quoted($0))\n" }.joined()
        let inForce = environments.sorted { $0.key < $1.key }.reduce(into: head + demanded) { text, environment in
            text +=
                "\(environment.key):\n  bundle: \"\(environment.value.bundle)\"\n  run: \(quoted(environment.value.run))\n"
            if let suite = environment.value.suite { text += "  suite: \(quoted(suite))\n" }
        }
        guard !trusted.isEmpty else { return inForce }
        return inForce + "\(Self.trustedKey):\n" + trusted.map(\.yaml).joined()
    }

    /// The key of the pairs that are trusted; no environment has this name.
    package static let trustedKey = "trusted"
    /// The key of the suites that a promotion asks for; no environment has this name either.
    package static let suitesKey = "suites"

    /// A name in YAML's double quotes, whose escapes are those of JSON.
    private func quoted(_ text: String) -> String { TemplateValue.string(text).json() }
}
