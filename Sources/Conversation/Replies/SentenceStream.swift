import Runtime
import Synchronization

/// The sentences of a reply while it is being made, each given out as soon as it may be spoken.
///
/// Written by the turn and read by one caller. Who joins a turn under way is given what was said so far, and then the rest.
/// What was said stays said: the reply begins with it.
package final class SentenceStream: Sendable {
    /// Which reply the sentences are of.
    package struct Beginning: Sendable, Equatable {
        /// The message that is answered.
        package let message: MessageID
        /// The prompt bundle in force.
        package let promptVersion: String

        /// Makes a beginning.
        package init(message: MessageID, promptVersion: String) {
            self.message = message
            self.promptVersion = promptVersion
        }
    }

    private struct State {
        var beginning: Beginning?
        var said: [String] = []
        var read = 0
        /// The call to a model whose words these are; no other's are taken besides.
        var call: Int?
        var isRepeat = false
        var isOver = false
        var followers: [SentenceStream] = []
        var arrival: OneShot<Void>?

        mutating func takeArrival() -> OneShot<Void>? {
            defer { arrival = nil }
            return arrival
        }
    }

    private let state = Mutex(State())

    /// Makes a stream in which nothing has been said.
    package init() {}

    /// Which reply it is; nil before the first sentence.
    package var beginning: Beginning? { state.withLock { $0.beginning } }

    /// What has been said so far, as it stands at the reply's beginning.
    package var said: String { state.withLock { $0.said.joined(separator: " ") } }

    /// Whether the reply was made, or is being made, for an earlier call.
    package var isRepeat: Bool { state.withLock { $0.isRepeat } }

    /// The next sentence; nil when there will be none, or the reader was cancelled.
    package func next() async -> String? {
        while !Task.isCancelled {
            let (sentence, arrival) = state.withLock { state -> (String?, OneShot<Void>?) in
                guard state.read == state.said.count else {
                    defer { state.read += 1 }
                    return (state.said[state.read], nil)
                }
                guard !state.isOver else { return (nil, nil) }
                let arrival = OneShot<Void>()
                state.arrival = arrival
                return (nil, arrival)
            }
            guard let arrival else { return sentence }
            await arrival.value(ifCancelled: ())
        }
        return nil
    }

    /// Says what has not been said of a reply that is whole: our own line in one piece, other words by sentences.
    package func sayRest(of reply: Reply, isRepeat: Bool = false) {
        if isRepeat { state.withLock { $0.isRepeat = true } }
        let said = said
        let beginning = Beginning(message: reply.message, promptVersion: reply.promptVersion)
        guard !said.isEmpty else {
            for sentence in reply.sentences { say(sentence, of: beginning) }
            return
        }
        guard reply.text.hasPrefix(said) else { return }
        for sentence in SentenceSplitter.sentences(of: String(reply.text.dropFirst(said.count))) {
            say(sentence, of: beginning)
        }
    }

    /// Says that nothing more will come.
    package func end() {
        let arrival = state.withLock { state in
            state.isOver = true
            return state.takeArrival()
        }
        arrival?.settle(())
    }

    /// Whose words are being said; nil when no model's are.
    var call: Int? { state.withLock { $0.call } }

    /// Says a sentence; one of another call than the first's is left out.
    func say(_ sentence: String, by call: Int? = nil, of beginning: Beginning) {
        let (arrival, followers) = state.withLock { state -> (OneShot<Void>?, [SentenceStream]) in
            guard call == nil || state.call == nil || state.call == call else { return (nil, []) }
            state.call = state.call ?? call
            state.beginning = state.beginning ?? beginning
            state.said.append(sentence)
            return (state.takeArrival(), state.followers)
        }
        arrival?.settle(())
        for follower in followers { follower.say(sentence, of: beginning) }
    }

    /// Gives another stream what was said so far, and from now on everything that is.
    func relay(to follower: SentenceStream) {
        state.withLock { state in
            follower.state.withLock { $0.isRepeat = true }
            if let beginning = state.beginning {
                for sentence in state.said { follower.say(sentence, of: beginning) }
            }
            state.followers.append(follower)
        }
    }

    /// A reply's text that begins with what was said: the text itself, or else what was said.
    func kept(_ text: String) -> String {
        let said = said
        return text.hasPrefix(said) ? text : said
    }
}

extension Reply {
    /// The reply as it is spoken: a line of ours in one piece, other words by sentences.
    ///
    /// Joined by spaces, they are the text.
    package var sentences: [String] {
        guard source != .fixed else { return [text] }
        let sentences = SentenceSplitter.sentences(of: text)
        return sentences.joined(separator: " ") == text ? sentences : [text]
    }
}
