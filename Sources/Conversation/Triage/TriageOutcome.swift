/// What came of a second look.
enum TriageOutcome: Equatable {
    /// The model saw nothing graver.
    case agreed
    /// It did, and this is what the record made of it.
    case effect(TriageEffect)
    /// As many looks as may be were taken already; the model was not asked.
    case crowded
    /// The message waits in the spool, where its alerts cannot be raised; the model was not asked.
    case spooled
    /// The bundle has no prompt for it, or one that cannot be rendered.
    case notComposed(PromptError)
    /// The model gave no answer in its time.
    case timedOut
    /// The model failed.
    case modelFailed(ModelError)
    /// The answer was not one line with a level and a category.
    case malformed
    /// It saw something graver, and the record did not take it.
    case notRecorded(RecordsError)

    /// What metric, trace and log call it.
    var name: String {
        switch self {
        case .agreed: "agreed"
        case .effect(let effect): effect.rawValue
        case .crowded: "crowded"
        case .spooled: "spooled"
        case .notComposed: "not_composed"
        case .timedOut: "timed_out"
        case .modelFailed: "model_failed"
        case .malformed: "malformed"
        case .notRecorded: "not_recorded"
        }
    }

    /// Why nothing came of it; nil when something did.
    var reason: String? {
        switch self {
        case .agreed, .effect: nil
        case .crowded, .spooled, .timedOut, .malformed: name
        case .notComposed(let error): "\(error)"
        case .modelFailed(let error): "\(error)"
        case .notRecorded(let error): "\(error)"
        }
    }
}
