package import Conversation
import YAML

/// A model that passed the floor suite with a bundle, as an entry of the lock.
package struct TrustedModel: Sendable, Equatable {
    /// The model's name in the settings.
    package let model: String
    /// The bundle's digest.
    package let bundle: String
    /// The digest of the floor suite.
    package let suite: String
    /// The evaluation run that the model passed.
    package let run: String
    /// The end of the run in RFC 3339 format.
    package let at: String

    package init(model: String, bundle: String, suite: String, run: String, at: String) {
        self.model = model
        self.bundle = bundle
        self.suite = suite
        self.run = run
        self.at = at
    }

    /// Reads an entry of the lock.
    init(_ node: YAMLNode) throws(YAMLError) {
        let mapping = try node.mapping()
        try mapping.refuseKeys(except: ["model", "bundle", "suite", "run", "at"])
        model = try mapping.string("model")
        bundle = try mapping.string("bundle")
        suite = try mapping.string("suite")
        run = try mapping.string("run")
        at = try mapping.string("at")
    }

    /// The entry as YAML.
    var yaml: String {
        let fields = [("model", model), ("bundle", bundle), ("suite", suite), ("run", run), ("at", at)]
        let lines = fields.map { "\($0): \(TemplateValue.string($1).json())\n" }
        return "  - " + lines.joined(separator: "    ")
    }
}

extension PromptLock {
    /// The models trusted with a bundle.
    package func trust(in bundle: String) -> ModelTrust {
        let own = trusted.filter { $0.bundle == bundle }.map(\.model)
        let others = trusted.filter { $0.bundle != bundle }.map(\.model)
        return ModelTrust(trusted: Set(own), elsewhere: Set(others))
    }

    /// Adds an entry and replaces an earlier one of the same pair.
    package mutating func trust(_ model: TrustedModel) {
        trusted.removeAll { $0.model == model.model && $0.bundle == model.bundle }
        trusted.append(model)
    }
}
