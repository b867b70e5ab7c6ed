import Conversation

/// The content of one event of a provider's stream.
enum StreamReading: Sendable, Equatable {
    /// Text of the reply.
    case text(String)
    /// The token usage so far.
    case usage(promptTokens: Int?, completionTokens: Int?)
    /// The reply's text is complete; only usage may follow.
    case finished
    /// The reply was cut off at its token limit.
    case tokenLimit
    /// Nothing more will come.
    case end
    /// The provider reported an error.
    case failure(ModelError)
}

/// A provider's protocol: how requests are written and responses read.
protocol ModelDialect: Sendable {
    /// The path after the base URL.
    var path: String { get }

    /// The header fields that carry the key and the protocol's version.
    func headers(key: String?) -> [(String, String)]

    /// The request's body.
    func body(_ prompt: Prompt, model: String) -> [UInt8]

    /// Reads an event of the stream.
    func read(_ event: ServerSentEvents.Event) -> [StreamReading]

    /// Reads a response in one JSON document.
    func read(whole document: [UInt8]) -> [StreamReading]
}
