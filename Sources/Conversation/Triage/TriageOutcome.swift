/// The outcome of a second check.
enum TriageOutcome: Equatable {
    /// The model found nothing more severe.
    case agreed
    /// The model found something more severe, with the effect on the record.
    case effect(TriageEffect)
    /// The limit of running checks was reached; the model was not asked.
    case crowded
    /// The message waits in the spool, where its alerts cannot be raised; the model was not asked.
    case spooled
    /// The bundle has no usable prompt for it.
    case notComposed(PromptError)
    /// The model did not answer in time.
    case timedOut
    /// The model failed.
    case modelFailed(ModelError)
    /// The answer was not one line with a level and a category.
    case malformed
    /// The model found something more severe, but the record did not store it.
    case notRecorded(RecordsError)

    /// The outcome's name in metric, trace and log.
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

    /// The reason for a failure; nil otherwise.
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
