/// All settings, each with one name in three forms: `--llm-url`, `HEARTH_LLM_URL` and `llm_url:` in hearth.yaml.
enum SettingKey: String, CaseIterable, Sendable {
    case host, port, loops
    case dataFolder = "data-folder"
    case dependenciesFolder = "dependencies-folder"
    case promptsFolder = "prompts-folder"
    case runsFolder = "runs-folder"
    case fixturesFolder = "fixtures-folder"
    case environment
    case scriptsFolder = "scripts-folder"
    case databaseURL = "database-url"
    case llmURL = "llm-url"
    case llmModel = "llm-model"
    case llmKey = "llm-key"
    case llmDialect = "llm-dialect"
    case anthropicKey = "anthropic-key"
    case llmPromptPrice = "llm-prompt-price"
    case llmCompletionPrice = "llm-completion-price"
    case fallbackLLMURL = "fallback-llm-url"
    case fallbackLLMModel = "fallback-llm-model"
    case fallbackLLMKey = "fallback-llm-key"
    case fallbackLLMDialect = "fallback-llm-dialect"
    case fallbackLLMPromptPrice = "fallback-llm-prompt-price"
    case fallbackLLMCompletionPrice = "fallback-llm-completion-price"
    case triageLLMURL = "triage-llm-url"
    case triageLLMModel = "triage-llm-model"
    case triageLLMKey = "triage-llm-key"
    case triageLLMDialect = "triage-llm-dialect"
    case hedgePercent = "hedge-percent"
    case retryPercent = "retry-percent"
    case localModel = "local-model"
    case localModelSlots = "local-model-slots"
    case embeddingsURL = "embeddings-url"
    case embeddingsModel = "embeddings-model"
    case embeddingsKey = "embeddings-key"
    case embeddingsDimension = "embeddings-dimension"
    case publicURL = "public-url"
    case alertSecret = "alert-secret"
    case speech
    case speechURL = "speech-url"
    case speechModel = "speech-model"
    case speechKey = "speech-key"
    case speechVoice = "speech-voice"
    case speechSpeed = "speech-speed"
    case speechCache = "speech-cache-mb"
    case lastKnownSecret = "last-known-secret"
    case lastKnownHours = "last-known-hours"
    case fcmAccount = "fcm-account"
    case fcmURL = "fcm-url"
    case apnsKey = "apns-key"
    case apnsKeyID = "apns-key-id"
    case apnsTeam = "apns-team"
    case apnsTopic = "apns-topic"
    case apnsURL = "apns-url"
    case twilioSID = "twilio-sid"
    case twilioToken = "twilio-token"
    case twilioSender = "twilio-sender"
    case twilioURL = "twilio-url"
    case smtpURL = "smtp-url"
    case smtpUser = "smtp-user"
    case smtpPassword = "smtp-password"
    case mailFrom = "mail-from"
    case slackURL = "slack-url"
    case alertWebhookURL = "alert-webhook-url"
    case alertWebhookSecret = "alert-webhook-secret"
    case webhookAddresses = "webhook-addresses"
    case budget = "budget-ms"
    case memoryTime = "memory-ms"
    case recallTime = "recall-ms"
    case recordTime = "record-ms"
    case reserve = "reserve-ms"
    case jobsAtOnce = "jobs-at-once"
    case factsQuiet = "facts-quiet-minutes"
    case factsTurns = "facts-turns"
    case reminderPatience = "reminder-patience-minutes"
    case digestHour = "digest-hour"
    case turnsAtOnce = "turns-at-once"
    case turnsWaiting = "turns-waiting"
    case patientTurns = "patient-turns-per-minute"
    case keyTurns = "key-turns-per-minute"
    case disclosure
    case consoleIdle = "console-idle-minutes"
    case consoleSession = "console-session-hours"
    case consoleProxy = "console-proxy"
    case tokenSecret = "token-secret"
    case tokenKeys = "token-keys"
    case magicLinkURL = "magic-link-url"
    case corsOrigins = "cors-origins"
    case firebaseProject = "firebase-project"
    case supabaseURL = "supabase-url"
    case supabaseEmails = "supabase-emails"
    case identityTenant = "identity-tenant"
    case identityAccounts = "identity-accounts"
    case factorSecret = "factor-secret"
    case otlpURL = "otlp-url"
    case otlpHeaders = "otlp-headers"
    case otlpPercent = "otlp-percent"
    case drain = "drain-ms"
    case logLevel = "log-level"

    /// Name of the environment variable.
    var environmentName: String { "HEARTH_" + rawValue.uppercased().replacing("-", with: "_") }

    /// Name in hearth.yaml.
    var fileName: String { rawValue.replacing("-", with: "_") }

    /// Other vendors' variables that are read if Hearth's own is not set.
    var foreignNames: [String] {
        switch self {
        case .databaseURL: ["DATABASE_URL"]
        case .anthropicKey: ["ANTHROPIC_API_KEY"]
        default: []
        }
    }

    /// Whether the value is secret and never shown.
    var isSecret: Bool {
        switch self {
        case .llmKey, .anthropicKey, .fallbackLLMKey, .triageLLMKey, .embeddingsKey, .databaseURL, .alertSecret,
            .twilioToken, .smtpPassword, .slackURL, .alertWebhookSecret, .lastKnownSecret, .tokenSecret,
            .factorSecret, .speechKey, .otlpHeaders:
            true
        default: false
        }
    }

    /// Default value; empty for none.
    var defaultValue: String {
        switch self {
        case .host: "127.0.0.1"
        case .port: "8080"
        case .loops: "0"
        case .dataFolder: ".hearth"
        case .dependenciesFolder: ".deps"
        case .promptsFolder: "prompts"
        case .runsFolder: ".hearth/runs"
        case .fixturesFolder: "evals"
        case .environment: "development"
        case .llmDialect, .fallbackLLMDialect, .triageLLMDialect: "auto"
        case .scriptsFolder: "scripts"
        case .localModelSlots: "4"
        case .embeddingsDimension: "1536"
        case .llmPromptPrice, .llmCompletionPrice, .fallbackLLMPromptPrice, .fallbackLLMCompletionPrice: "0"
        case .hedgePercent: "5"
        case .retryPercent: "10"
        case .fcmURL: "https://fcm.googleapis.com"
        case .apnsURL: "https://api.push.apple.com"
        case .twilioURL: "https://api.twilio.com"
        case .supabaseEmails: "claimed"
        case .identityAccounts: "known"
        case .webhookAddresses: "public"
        case .budget: "5000"
        case .memoryTime: "500"
        case .recallTime: "300"
        case .recordTime: "500"
        case .reserve: "250"
        case .jobsAtOnce: "2"
        case .factsQuiet: "5"
        case .factsTurns: "6"
        case .reminderPatience: "30"
        case .digestHour: "9"
        case .turnsAtOnce: "1024"
        case .turnsWaiting: "512"
        case .patientTurns: "120"
        case .keyTurns: "0"
        case .disclosure: "off"
        case .consoleIdle: "30"
        case .consoleSession: "12"
        case .lastKnownHours: "24"
        case .speech: "on"
        case .speechVoice: "nova"
        case .speechSpeed: "100"
        case .speechCache: "256"
        case .otlpPercent: "5"
        case .drain: "10000"
        case .logLevel: "info"
        case .databaseURL, .llmURL, .llmModel, .llmKey, .anthropicKey, .fallbackLLMURL, .fallbackLLMModel,
            .fallbackLLMKey, .triageLLMURL, .triageLLMModel, .triageLLMKey,
            .localModel, .embeddingsURL, .embeddingsModel, .embeddingsKey, .publicURL, .alertSecret, .fcmAccount,
            .apnsKey, .apnsKeyID, .apnsTeam, .apnsTopic,
            .twilioSID, .twilioToken, .twilioSender, .smtpURL, .smtpUser, .smtpPassword, .mailFrom, .slackURL,
            .alertWebhookURL, .alertWebhookSecret, .consoleProxy, .lastKnownSecret, .tokenSecret, .tokenKeys,
            .speechURL,
            .speechModel, .speechKey, .factorSecret, .magicLinkURL, .corsOrigins, .firebaseProject, .supabaseURL,
            .identityTenant, .otlpURL, .otlpHeaders:
            ""
        }
    }

    /// One-line description.
    var summary: String {
        switch self {
        case .host: "Address to listen on."
        case .port: "Port to listen on; 0 selects a free one."
        case .loops: "Number of event loops; 0 means one per core."
        case .dataFolder: "Folder of the private database, the vector cache and the development key."
        case .dependenciesFolder: "Folder in which the set-up installed the embedding engine and the local model."
        case .promptsFolder: "Folder of prompts, rule packs and canned lines."
        case .runsFolder: "Folder of eval runs and their findings, for promotions and for the console."
        case .fixturesFolder:
            "Folder of fixtures that a promotion requires and that the console offers for trying bundles."
        case .environment:
            "Environment whose releases are active, such as production; without releases, the prompts folder is."
        case .scriptsFolder: "Folder of model-server.py, which runs the local model."
        case .databaseURL: "PostgreSQL to use instead of the private one."
        case .llmURL: "Base URL of a hosted model, OpenAI-compatible or Anthropic's, instead of the local one."
        case .llmModel: "The hosted model's name."
        case .llmKey: "The hosted model's key."
        case .llmDialect: "openai, anthropic, or auto to tell by the URL."
        case .anthropicKey: "Default key for Anthropic models; sent to no other host."
        case .llmPromptPrice: "US dollars per million prompt tokens."
        case .llmCompletionPrice: "US dollars for a million tokens that it writes."
        case .fallbackLLMURL: "Base URL of the fallback model."
        case .fallbackLLMModel: "Its name."
        case .fallbackLLMKey: "Its key."
        case .fallbackLLMDialect: "Its dialect: openai, anthropic, or auto to tell by the URL."
        case .fallbackLLMPromptPrice: "US dollars for a million tokens that it reads."
        case .fallbackLLMCompletionPrice: "US dollars for a million tokens that it writes."
        case .triageLLMURL:
            "Base URL of the triage model, which classifies each message again and may raise an alert; empty for none."
        case .triageLLMModel: "Its name."
        case .triageLLMKey: "Its key."
        case .triageLLMDialect: "Its dialect: openai, anthropic, or auto to tell by the URL."
        case .hedgePercent: "Hedged calls per hundred turns, at most; 0 disables hedging."
        case .retryPercent: "Retried calls per hundred turns, at most; 0 disables retries."
        case .localModel: "A GGUF file to run instead of the demonstration model."
        case .localModelSlots: "Patients whom the local model serves at once, each with its own prompt cache."
        case .embeddingsURL: "Base URL of an OpenAI-compatible embeddings service instead of the local engine."
        case .embeddingsModel: "Its model's name."
        case .embeddingsKey: "Its key."
        case .embeddingsDimension: "Dimension of its vectors."
        case .publicURL: "Public base URL of the service, for links in alerts and for callbacks."
        case .alertSecret:
            "Secret that signs links in alerts; the same in every replica. Default: generated and stored in the data folder."
        case .speech: "on: replies, reminders and pushes carry links to sound; or off."
        case .speechURL:
            "Base URL of a service that speaks (OpenAI's /audio/speech). Default: espeak-ng on this machine."
        case .speechModel: "The service's model of speech."
        case .speechKey: "Key of that service."
        case .speechVoice: "The voice: nova, shimmer, alloy, echo, fable or onyx."
        case .speechSpeed: "The speed of speech in percent, 50 to 200."
        case .speechCache: "Megabytes of sound in PostgreSQL, 16 to 1000000; what was not used for longest goes first."
        case .lastKnownSecret:
            "Secret that encrypts the local cache of keys and contacts, used while PostgreSQL is unavailable. Default: generated and stored in the data folder."
        case .lastKnownHours: "Validity of that cache in hours, 1 to 720; 0 disables it."
        case .fcmAccount: "The key file of the service account that sends notifications (Firebase)."
        case .fcmURL: "Where notifications are sent."
        case .apnsKey:
            "The key file (.p8) that pushes to an app on iOS without Firebase; needs the three settings below."
        case .apnsKeyID: "Its identifier."
        case .apnsTeam: "The identifier of the team that owns it."
        case .apnsTopic: "The app's bundle identifier."
        case .apnsURL: "Where such pushes are sent; api.sandbox.push.apple.com for builds from Xcode."
        case .twilioSID: "The Twilio account that sends text messages."
        case .twilioToken: "Its token."
        case .twilioSender: "The number, or the messaging service, that text messages come from."
        case .twilioURL: "Where text messages are sent."
        case .smtpURL: "The mail server: smtp:// for STARTTLS, smtps:// for TLS from the start."
        case .smtpUser: "The name to log in to it with."
        case .smtpPassword: "Its password."
        case .mailFrom: "The address that mail comes from."
        case .slackURL: "The incoming webhook of the operators' Slack channel."
        case .alertWebhookURL: "URL to which unacknowledged alerts are posted, signed."
        case .alertWebhookSecret: "Secret for those signatures."
        case .webhookAddresses:
            "Addresses that tenants' webhooks may have: public, over https alone; or any, which also allows http."
        case .budget: "Milliseconds from a request's first byte to its answer, 500 to 5000."
        case .memoryTime: "Limit of the memory stage in milliseconds."
        case .recallTime: "Limit of the recall stage in milliseconds."
        case .recordTime:
            "Limit in milliseconds for storing the message and its alerts, after which they go to the spool."
        case .reserve:
            "Minimum milliseconds reserved after the model for finishing and storing; grows while storing is slow."
        case .jobsAtOnce:
            "Concurrent background jobs for fact extraction and embeddings; use more with a hosted model."
        case .factsQuiet:
            "Idle minutes after which facts are extracted from a conversation's new messages."
        case .factsTurns:
            "Messages after which facts are extracted from a conversation that goes on; the prompt's history holds 6."
        case .reminderPatience: "Minutes without an answer after which a reminder that was sent counts as missed."
        case .digestHour: "Hour of Monday, where the patient lives, at which weekly digests are due, 0 to 23."
        case .turnsAtOnce:
            "Concurrent turns; a turn with a danger is answered beyond this limit, with a degraded service level."
        case .turnsWaiting: "Turns that may wait for a free slot, at most 500 ms; others get 503."
        case .patientTurns: "Turns per minute of one patient, 429 beyond; 0 for no limit. Danger is never rate-limited."
        case .keyTurns: "Turns per minute of one service key; 0 for no limit."
        case .disclosure: "daily: the first reply of a patient's day says that the companion is an AI; or off."
        case .consoleIdle: "Minutes without a request after which an operator of the console is signed out."
        case .consoleSession: "Hours after which an operator is signed out even if active."
        case .consoleProxy: "Address of the proxy whose X-Forwarded-For is trusted at sign-in."
        case .tokenSecret: "Secret under which access tokens are signed, 32 characters or more."
        case .tokenKeys:
            "Files of private keys (PEM, RSA or P-256) under which access tokens are signed instead, with commas between; the first signs."
        case .magicLinkURL: "Address that one-time links open, such as the app's own; none are sent without it."
        case .corsOrigins:
            "Origins whose programs in browsers may use the API, with commas between; never with cookies."
        case .firebaseProject: "Firebase project whose users' tokens are accepted."
        case .supabaseURL: "Supabase project, by its URL, whose users' tokens are accepted."
        case .supabaseEmails:
            "claimed: a Supabase token must say that its mail address is verified; confirmed: the project confirms each one."
        case .identityTenant:
            "Tenant whose users the people of Firebase and Supabase are; the demonstration tenant without it."
        case .identityAccounts:
            "known: people of Firebase and Supabase need an account; seniors: who has none becomes a senior with a patient."
        case .factorSecret:
            "Secret from which users' authenticator apps are set up, 32 characters or more; the same in every replica."
        case .otlpURL: "Base URL of a collector that takes traces by OTLP over HTTP; none leave without it."
        case .otlpHeaders: "Header fields for the collector, as name=value with commas between."
        case .otlpPercent:
            "Percent of the turns that are neither late, degraded nor flagged whose traces leave, 0 to 100."
        case .drain: "Milliseconds for shutting down after SIGTERM; open requests get three quarters of them."
        case .logLevel: "debug, info, notice, warning or error."
        }
    }
}
