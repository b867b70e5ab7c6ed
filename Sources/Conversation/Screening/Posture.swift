/// The strictness with which a model's words are screened.
package enum Posture: Sendable, Equatable {
    /// The model and the bundle have passed the floor suite together: a sentence is left out only for a named harm.
    case open
    /// Nothing shows that the model can be trusted: on restricted topics only what plainly declines or refers is said.
    case strict(reason: StrictReason)

    /// The reason for the strict posture.
    package enum StrictReason: String, Sendable, Codable, CaseIterable {
        /// No pair of model and bundle has passed the floor suite.
        case untested
        /// The bundle has passed with other models.
        case otherModel = "other_model"
        /// The model has passed with another bundle.
        case otherBundle = "other_bundle"
        /// The model is the demonstration's, which is never trusted.
        case demonstration
    }

    /// Whether it is the open one.
    package var isOpen: Bool { self == .open }

    /// Its name: "open" or "strict".
    package var name: String { isOpen ? "open" : "strict" }

    /// The reason for it, in a clause for the operator.
    package func reason(of model: String) -> String {
        switch self {
        case .open: "\(model) has passed the floor suite with this bundle"
        case .strict(.untested): "no model has passed the floor suite with this bundle"
        case .strict(.otherModel): "this bundle has passed the floor suite with another model than \(model)"
        case .strict(.otherBundle): "\(model) has passed the floor suite with another bundle"
        case .strict(.demonstration): "\(model) is the demonstration model, which is never trusted"
        }
    }
}

/// The models that have passed the floor suite together with a bundle.
package struct ModelTrust: Sendable, Equatable {
    private let trusted: Set<String>
    private let elsewhere: Set<String>

    /// Makes a record of trust; without models nobody is trusted.
    ///
    /// - Parameters:
    ///   - trusted: The names of the models that have passed with this bundle.
    ///   - elsewhere: The names of those that have passed with another bundle.
    package init(trusted: Set<String> = [], elsewhere: Set<String> = []) {
        self.trusted = trusted
        self.elsewhere = elsewhere
    }

    /// The posture in which a model answers.
    ///
    /// - Parameter isDemonstration: Whether it is the model that comes with set-up.
    package func posture(of model: String, isDemonstration: Bool) -> Posture {
        if isDemonstration { return .strict(reason: .demonstration) }
        if trusted.contains(model) { return .open }
        if elsewhere.contains(model) { return .strict(reason: .otherBundle) }
        return .strict(reason: trusted.isEmpty ? .untested : .otherModel)
    }

    /// The posture in which a model answers with the reason for it: "strict: no model has passed the floor suite …".
    package func sentence(onModel model: String, isDemonstration: Bool) -> String {
        let posture = posture(of: model, isDemonstration: isDemonstration)
        return "\(posture.name): \(posture.reason(of: model))"
    }

    /// The posture in which a model answers with the reason for it.
    package func sentence(on model: any LanguageModel) -> String {
        sentence(onModel: model.name, isDemonstration: model.isDemonstration)
    }
}
