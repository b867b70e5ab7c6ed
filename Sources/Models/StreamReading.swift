import Conversation

/// What one event of a provider's stream says.
enum StreamReading: Sendable, Equatable {
    /// Useful text.
    case text(String)
    /// What was used so far.
    case usage(promptTokens: Int?, completionTokens: Int?)
    /// The reply's text is whole; only accounts follow, if anything.
    case finished
    /// The reply ended at the limit on its tokens, in the middle of what was being said.
    case tokenLimit
    /// Nothing more will come.
    case end
    /// The provider gave up.
    case failure(ModelError)
}

/// How a provider is asked and read: what differs between the protocols.
protocol ModelDialect: Sendable {
    /// The path after the base URL.
    var path: String { get }

    /// The header fields that carry the key and the protocol's version.
    func headers(key: String?) -> [(String, String)]

    /// The request's body.
    func body(_ prompt: Prompt, model: String) -> [UInt8]

    /// What an event of the stream says.
    func read(_ event: ServerSentEvents.Event) -> [StreamReading]

    /// What an answer that is one JSON document says.
    func read(whole document: [UInt8]) -> [StreamReading]
}
