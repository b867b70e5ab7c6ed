package import Runtime

/// A model that answers a prompt.
package protocol LanguageModel: Sendable {
    /// What the log, the metrics and the trace call it: provider and model.
    var name: String { get }

    /// What its calls of late say about the next one.
    var outlook: ModelOutlook { get }

    /// What its tokens cost.
    var price: TokenPrice { get }

    /// Whether it is the small model that comes with set-up and is not for patients.
    var isDemonstration: Bool { get }

    /// Asks; returns when the provider has accepted the request and begins to stream.
    ///
    /// - Parameter deadline: When the whole stream must have ended; it fails with `timedOut` then.
    func generate(_ prompt: Prompt, by deadline: Deadline) async throws(ModelError) -> any Generation
}

extension LanguageModel {
    /// A model of which nothing is known.
    package var outlook: ModelOutlook { ModelOutlook() }

    /// A model that was chosen for patients.
    package var isDemonstration: Bool { false }

    /// Whether it can be asked in a language; the demonstration model knows English alone.
    package func speaks(_ language: String) -> Bool { !isDemonstration || language.lowercased().hasPrefix("en") }

    /// A model that costs nothing.
    package var price: TokenPrice { TokenPrice() }
}

/// What a model's calls of late say about the next one.
package struct ModelOutlook: Sendable, Equatable {
    /// Within what time nine of ten calls have said their first piece; nil while too few are known.
    package var firstPieceWithin: Duration?
    /// For how long it is left alone; zero when it may be asked.
    package var rest: Duration

    /// Makes an outlook; that of a model of which nothing is known unless given.
    package init(firstPieceWithin: Duration? = nil, rest: Duration = .zero) {
        self.firstPieceWithin = firstPieceWithin
        self.rest = rest
    }
}

/// A reply while it is written.
///
/// One reader; releasing or stopping it closes the provider's stream at once.
package protocol Generation: Sendable {
    /// The next piece of useful text; nil when the reply is whole. Frames that carry no text are never returned.
    func next() async throws(ModelError) -> String?

    /// Ends the stream; nothing more is paid for. May be called more than once.
    func stop()

    /// What was used so far: counted by the provider once it has said so, our estimate before.
    var usage: TokenUsage { get }
}

/// Why a model gave no reply, or only a part of one.
package enum ModelError: Error, Equatable {
    /// The provider could not be reached.
    case unreachable(reason: String)
    /// The provider answered with an error status.
    case refused(status: Int, retryAfter: Duration?, message: String)
    /// The deadline passed; the pieces that came before were delivered.
    case timedOut(after: Duration)
    /// The provider's answer was not what its protocol promises.
    case malformed(reason: String)
    /// The stream ended before the reply was whole.
    case cutOff(pieces: Int)
    /// The reply reached the limit on its tokens before it was whole.
    case tokenLimit(pieces: Int)
    /// The reply was whole and had no text.
    case empty
    /// Too many calls are in flight.
    case overloaded(inFlight: Int)
    /// The provider is left alone: it failed too often, or asked to be; nothing was sent.
    case resting(for: Duration)
    /// The caller was cancelled.
    case cancelled
}
