/// How a run ended: the last line of its file; a file without one is a run that was cut off.
package struct RunEnd: Sendable, Codable, Equatable {
    /// Why a run stopped.
    package enum Reason: String, Sendable, Codable {
        /// Every sample was taken.
        case finished
        /// The cost or the time that it may spend was reached.
        case budget
        /// Somebody stopped it.
        case interrupted
        /// A failure was found and the run was to stop at the first.
        case failFast = "fail-fast"
    }

    /// Why.
    package var reason: Reason
    /// How long it took, in seconds.
    package var seconds: Double

    /// Makes an end.
    package init(reason: Reason, seconds: Double) {
        self.reason = reason
        self.seconds = seconds
    }
}
