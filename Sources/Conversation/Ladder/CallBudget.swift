/// Bounds the calls that are made besides the first of each turn to a share of those: a bucket that every first call fills
/// a little and every other call empties by one.
///
/// A provider that is in trouble is thereby never asked twice as often as one that is well.
package struct CallBudget: Sendable, Equatable {
    /// How many calls a full bucket holds, so that a quiet service has one or two when it needs them.
    static let burst = 5.0

    private let share: Double
    private var held: Double

    /// Makes a budget.
    ///
    /// - Parameter share: How many other calls each first call allows, 0 to 1; with 0 none is ever made.
    package init(share: Double) {
        self.share = share
        held = share > 0 ? Self.burst : 0
    }

    /// Counts a turn's first call.
    package mutating func earn() {
        held = min(Self.burst, held + share)
    }

    /// Takes the allowance of one other call; false when there is none.
    package mutating func spend() -> Bool {
        guard held >= 1 else { return false }
        held -= 1
        return true
    }
}

/// The budgets of every kind of call that a ladder makes besides a turn's first.
package struct CallBudgets: Sendable, Equatable {
    /// For second calls beside one that is slow.
    package var hedges: CallBudget
    /// For calls after one that failed.
    package var retries: CallBudget

    /// Makes budgets; the shares are those of first calls.
    package init(hedges: Double = 0.05, retries: Double = 0.1) {
        self.hedges = CallBudget(share: hedges)
        self.retries = CallBudget(share: retries)
    }
}
