/// Everything that can be set, each under one name: `--llm-url`, `HEARTH_LLM_URL`, `llm_url:` in hearth.yaml.
enum SettingKey: String, CaseIterable, Sendable {
    case host, port, loops
    case dataFolder = "data-folder"
    case dependenciesFolder = "dependencies-folder"
    case promptsFolder = "prompts-folder"
    case runsFolder = "runs-folder"
    case environment
    case databaseURL = "database-url"
    case llmURL = "llm-url"
    case llmModel = "llm-model"
    case llmKey = "llm-key"
    case llmDialect = "llm-dialect"
    case fallbackLLMURL = "fallback-llm-url"
    case fallbackLLMModel = "fallback-llm-model"
    case fallbackLLMKey = "fallback-llm-key"
    case localModel = "local-model"
    case localModelSlots = "local-model-slots"
    case embeddingsURL = "embeddings-url"
    case embeddingsModel = "embeddings-model"
    case embeddingsKey = "embeddings-key"
    case embeddingsDimension = "embeddings-dimension"
    case budget = "budget-ms"
    case drain = "drain-ms"
    case logLevel = "log-level"

    /// The name as an environment variable.
    var environmentName: String { "HEARTH_" + rawValue.uppercased().replacing("-", with: "_") }

    /// The name in hearth.yaml.
    var fileName: String { rawValue.replacing("-", with: "_") }

    /// Variables of other makers that are read when ours is not set.
    var foreignNames: [String] {
        switch self {
        case .databaseURL: ["DATABASE_URL"]
        case .llmKey: ["ANTHROPIC_API_KEY"]
        default: []
        }
    }

    /// Whether the value is never shown.
    var isSecret: Bool {
        switch self {
        case .llmKey, .fallbackLLMKey, .embeddingsKey, .databaseURL: true
        default: false
        }
    }

    /// The value when nothing sets it; empty means none.
    var defaultValue: String {
        switch self {
        case .host: "127.0.0.1"
        case .port: "8080"
        case .loops: "0"
        case .dataFolder: ".hearth"
        case .dependenciesFolder: ".deps"
        case .promptsFolder: "prompts"
        case .runsFolder: ".hearth/runs"
        case .environment: "development"
        case .llmDialect: "auto"
        case .localModelSlots: "4"
        case .embeddingsDimension: "1536"
        case .budget: "5000"
        case .drain: "10000"
        case .logLevel: "info"
        case .databaseURL, .llmURL, .llmModel, .llmKey, .fallbackLLMURL, .fallbackLLMModel, .fallbackLLMKey,
            .localModel, .embeddingsURL, .embeddingsModel, .embeddingsKey:
            ""
        }
    }

    /// What it is for, in a line.
    var summary: String {
        switch self {
        case .host: "Address to listen on."
        case .port: "Port to listen on; 0 takes a free one."
        case .loops: "Event loops; 0 means one for each core."
        case .dataFolder: "Where the private database, the vector index and the development key live."
        case .dependenciesFolder: "Where set-up put the embedding engine and the local model."
        case .promptsFolder: "Prompts, rule packs and fixed lines."
        case .runsFolder: "Where eval runs leave what they found, for promotions."
        case .environment: "Whose releases are followed, such as production; the folder while it has none."
        case .databaseURL: "PostgreSQL to use instead of the private one."
        case .llmURL: "Base URL of a hosted model, OpenAI-compatible or Anthropic's, instead of the local one."
        case .llmModel: "The hosted model's name."
        case .llmKey: "The hosted model's key."
        case .llmDialect: "openai, anthropic, or auto to tell by the URL."
        case .fallbackLLMURL: "Base URL of the model that is asked when the first fails."
        case .fallbackLLMModel: "Its name."
        case .fallbackLLMKey: "Its key."
        case .localModel: "A GGUF file to run instead of the demonstration model."
        case .localModelSlots: "Patients whom the local model serves at once, each with its own prompt cache."
        case .embeddingsURL: "Base URL of an OpenAI-compatible embeddings service instead of the local engine."
        case .embeddingsModel: "Its model's name."
        case .embeddingsKey: "Its key."
        case .embeddingsDimension: "How many numbers its vectors have."
        case .budget: "Milliseconds from a request's first byte to its answer, 500 to 5000."
        case .drain: "Milliseconds that open requests get to finish after SIGTERM."
        case .logLevel: "debug, info, notice, warning or error."
        }
    }
}
