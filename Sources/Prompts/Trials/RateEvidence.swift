import Foundation

/// Evidence that an event's rate differs between candidate and control, as an e-process.
///
/// The wealth starts at 1. While the rates are equal, its expected value does not grow, regardless of the number of
/// looks.
///
/// Each block has one candidate patient and `n` control patients. It bets on rates (a, b) against the pooled rate p =
/// (n·a + b) / (n + 1) and multiplies the wealth by the likelihood ratio. With d = t − p, the expected factor at an
/// equal rate t is (1 + d·(a−p)/(p(1−p)))ⁿ · (1 + d·(b−p)/(p(1−p))), which is at most exp(0) = 1. For a bet on b > a it
/// is smaller still when the candidate's rate is below the control's. So P(wealth ever ≥ 1/α) ≤ α (Ville's inequality)
/// for any number of looks.
///
/// This is the 2×2 test of Turner, Ly and Grünwald, "Generic E-variables for exact sequential k-sample tests that allow
/// for optional stopping" (2021). Bets on many pairs of rates are averaged; an average of e-processes is an e-process.
package struct RateEvidence: Sendable {
    /// The direction of the difference.
    package enum Direction: Sendable { case rise, fall }

    private let bets: [Bet]
    private let controls: Int

    /// Makes the bets.
    ///
    /// - Parameter controls: The number of control patients in each block.
    package init(_ direction: Direction, controls: Int) {
        self.controls = controls
        bets = Self.rates.map { low, high in
            direction == .rise
                ? Bet(control: low, candidate: high, controls: controls)
                : Bet(control: high, candidate: low, controls: controls)
        }
    }

    /// Returns the wealth after some blocks with the given numbers of events.
    ///
    /// The order of events does not matter, because the bets never change.
    package func value(blocks: Int, candidates: Int, controls events: Int) -> Double {
        let logarithms = bets.map { bet in
            bet.candidate.sum(candidates, of: blocks) + bet.control.sum(events, of: blocks * controls)
        }
        return logarithms.reduce(0) { $0 + exp($1) } / Double(bets.count)
    }

    /// The expected growth of the best bet's wealth for each block, as a logarithm.
    package func growth(control: Double, candidate: Double) -> Double {
        bets.map { $0.candidate.expected(candidate) + Double(controls) * $0.control.expected(control) }.max() ?? 0
    }

    /// The maximum cost of averaging: the logarithm of the number of bets.
    var costOfAveraging: Double { log(Double(bets.count)) }

    /// Rates from rare to frequent, each with odds three, eight and twenty times higher.
    private static let rates: [(low: Double, high: Double)] = [0.005, 0.02, 0.06, 0.15, 0.35].flatMap { rate in
        [3.0, 8, 20].map { times in
            let odds = rate / (1 - rate) * times
            return (rate, odds / (1 + odds))
        }
    }
}

extension RateEvidence {
    /// A bet on one rate of the control and one of the candidate.
    private struct Bet: Sendable {
        /// A patient's contribution to the logarithm of the wealth.
        struct Factor: Sendable {
            let happened, didNot: Double

            init(_ rate: Double, against pooled: Double) {
                happened = log(rate / pooled)
                didNot = log((1 - rate) / (1 - pooled))
            }

            func sum(_ events: Int, of patients: Int) -> Double {
                Double(events) * happened + Double(patients - events) * didNot
            }

            func expected(_ rate: Double) -> Double { rate * happened + (1 - rate) * didNot }
        }

        let control, candidate: Factor

        init(control: Double, candidate: Double, controls: Int) {
            let pooled = (Double(controls) * control + candidate) / Double(controls + 1)
            self.control = Factor(control, against: pooled)
            self.candidate = Factor(candidate, against: pooled)
        }
    }
}
