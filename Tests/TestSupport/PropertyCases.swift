import Foundation

/// Number of cases of a large property: a part of them in the suite, all of them by `make properties`.
package enum PropertyCases {
    private static let isWhole = ProcessInfo.processInfo.environment["HEARTH_PROPERTIES"] == "all"

    /// The number for this run.
    package static func count(_ part: Int, of all: Int) -> Int { isWhole ? all : part }
}
