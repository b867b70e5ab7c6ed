package import Runtime

/// One call to a model.
package struct LadderCall: Sendable, Equatable {
    /// The reason for a call; the raw value is its stage in the trace.
    package enum Role: String, Sendable, CaseIterable {
        /// The turn's first call.
        case first = "generate"
        /// A second call beside one that is slower than most.
        case hedge
        /// A call to the next model.
        case fallback
        /// A repeated call to the same model after a failure.
        case retry
    }

    /// The progress of a call.
    package enum State: Sendable, Equatable {
        /// No useful text has come.
        case silent
        /// Text is coming, and this call makes the reply.
        case speaking
        /// It has ended or was stopped.
        case over
    }

    /// The call's place among the turn's calls, from 0.
    package let id: Int
    /// The model's place in the chain, from 0.
    package let rung: Int
    /// The reason for the call.
    package let role: Role
    /// The time of the call.
    package let askedAt: Instant
    /// The progress.
    package internal(set) var state = State.silent
}

/// The progress of a call with text.
package struct LadderProgress: Sendable, Equatable {
    /// The time of the first useful piece.
    package var firstAt: Instant
    /// The time of the last piece.
    package var lastAt: Instant
    /// The number of words so far.
    package var words: Int

    package init(firstAt: Instant, lastAt: Instant, words: Int) {
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.words = words
    }

    /// Estimates the number of words at an instant, at the present pace of the stream.
    func words(at then: Instant, from now: Instant) -> Double {
        let pace = Double(max(0, words - 1)) / max(now.since(firstAt).seconds, 0.001)
        return Double(words) + pace * max(0, then.since(now).seconds)
    }
}

/// The end of a call.
package enum LadderEnding: Sendable, Equatable {
    /// The reply is complete, or has reached its greatest length.
    ///
    /// - Parameter hasWords: True if any of it may be spoken.
    case whole(hasWords: Bool)
    /// The call failed or was stopped.
    case failed(ModelError, Remains)

    /// The usable part of a failed call's text.
    package enum Remains: Int, Sendable, Comparable {
        /// Nothing.
        case nothing
        /// A complete clause.
        case clause
        /// A complete sentence.
        case sentence

        package static func < (left: Remains, right: Remains) -> Bool { left.rawValue < right.rawValue }
    }
}
