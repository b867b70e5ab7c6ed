/// Display names of a turn's stages.
enum StageWords {
    /// Display name of a stage; a stage without one keeps its own name.
    static func name(of stage: String) -> String {
        switch stage {
        case "admit": "let in"
        case "remember": "read what is known"
        case "recall": "find what was said before"
        case "screen": "look for dangers"
        case "decide": "weigh and decide"
        case "record": "make durable"
        case "compose": "write the prompt"
        case "first_token": "wait for the first word"
        case "generate": "first call to a model"
        case "hedge": "second call beside it"
        case "listen": "hear the reply by its meaning"
        case "finish": "cap the reply"
        case "commit": "store the reply"
        default: stage.replacing("_", with: " ")
        }
    }
}
