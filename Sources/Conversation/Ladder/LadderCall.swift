package import Runtime

/// One call of a ladder, as the ladder knows it.
package struct LadderCall: Sendable, Equatable {
    /// Why a call was made; the raw value is its stage in the trace.
    package enum Role: String, Sendable, CaseIterable {
        /// The turn's first call.
        case first = "generate"
        /// A second call beside one that is slower than most.
        case hedge
        /// A call to the next model.
        case fallback
        /// A call after one that failed, to the same model.
        case retry
    }

    /// How far a call has come.
    package enum State: Sendable, Equatable {
        /// Nothing useful has been said.
        case silent
        /// It speaks, and the reply will be its.
        case speaking
        /// It has ended or was stopped.
        case over
    }

    /// Its place among the turn's calls, from 0.
    package let id: Int
    /// Which model, from 0.
    package let rung: Int
    /// Why it was made.
    package let role: Role
    /// When it was made.
    package let askedAt: Instant
    /// How far it has come.
    package internal(set) var state = State.silent
}

/// What has been heard of a call that speaks.
package struct LadderProgress: Sendable, Equatable {
    /// When the first useful piece came.
    package var firstAt: Instant
    /// When the last piece came.
    package var lastAt: Instant
    /// How many words have come.
    package var words: Int

    /// Makes a progress.
    package init(firstAt: Instant, lastAt: Instant, words: Int) {
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.words = words
    }

    /// How many words there will be at an instant if the stream goes on as it has since its first one.
    func words(at then: Instant, from now: Instant) -> Double {
        let pace = Double(max(0, words - 1)) / max(now.since(firstAt).seconds, 0.001)
        return Double(words) + pace * max(0, then.since(now).seconds)
    }
}

/// How a call ended.
package enum LadderEnding: Sendable, Equatable {
    /// The reply is whole, or as long as it may be.
    ///
    /// - Parameter hasWords: Whether any of it may be said.
    case whole(hasWords: Bool)
    /// It failed, or was stopped.
    case failed(ModelError, Remains)

    /// What can be said of what a failed call has brought.
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
