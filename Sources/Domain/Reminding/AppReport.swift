package import Foundation

/// The last report of the app on a patient's telephone.
package struct AppReport: Sendable, Equatable {
    /// The time after a report in which an app can be woken, in seconds; reports come every quarter of an hour.
    package static let lately: TimeInterval = 35 * 60

    /// The time of the report.
    package let at: Date
    /// The app's state, such as "background"; empty when it named none.
    package let state: String

    /// Makes a report.
    package init(at date: Date, state: String) {
        at = date
        self.state = state
    }

    /// Returns true if a silent push can start the app at an instant.
    ///
    /// iOS ignores a silent push for an app that the person has closed.
    package func canBeWoken(at date: Date) -> Bool {
        !state.lowercased().contains("terminated") && date.timeIntervalSince(at) < Self.lately
    }
}
