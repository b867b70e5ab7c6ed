/// Last line of a run's file: how the run ended.
///
/// A file without it was cut off.
package struct RunEnd: Sendable, Codable, Equatable {
    /// Reason for the end.
    package enum Reason: String, Sendable, Codable {
        /// Every sample was taken.
        case finished
        /// The limit on cost or time was reached.
        case budget
        /// The run was interrupted.
        case interrupted
        /// A fixture failed and the run had to stop at the first failure.
        case failFast = "fail-fast"
    }

    /// Reason for the end.
    package var reason: Reason
    /// Duration of the run, in seconds.
    package var seconds: Double

    package init(reason: Reason, seconds: Double) {
        self.reason = reason
        self.seconds = seconds
    }
}
