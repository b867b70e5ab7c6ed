import Conversation

/// Display names of release actions and trial signals.
enum ReleaseWords {
    /// Name of a release action, in the past tense.
    static func action(_ action: Release.Action) -> String {
        switch action {
        case .promote: "put in force"
        case .canary: "began a canary"
        case .shadow: "began a shadow"
        case .stop: "ended a trial"
        case .rollback: "went back"
        }
    }

    /// Description of a trial signal.
    static func question(_ name: String) -> String {
        switch name {
        case "more missed_deadline": "More patients whose model was too slow"
        case "more degraded": "More patients answered without a part"
        case "more alerted": "More patients of whom somebody was told"
        case "fewer alerted": "Fewer patients of whom somebody was told"
        case "more over_cap": "More patients whose model said too many words"
        case "more screened": "More patients whose model said what must not be said"
        default: name.replacing("_", with: " ")
        }
    }
}
