package import Domain
package import Foundation

/// The evidence of a trial's closed units about its candidate.
package struct TrialEvidence: Sendable {
    /// One question of the trial.
    package struct Question: Sendable {
        /// The signal's name.
        package let name: String
        /// The wealth of the bet that the candidate is worse.
        package let value: Double
        /// The shares of the control's and the candidate's patients with the signal.
        package let control, candidate: Double
    }

    /// The number of the candidate's patients with closed units.
    package let patients: Int
    /// The number of the control's patients with closed units.
    package let controls: Int
    /// All questions with their evidence.
    package let questions: [Question]

    /// Evaluates a trial's units up to a date.
    ///
    /// A rise of any signal counts against the candidate. A fall of alerts also counts against it, because patients may
    /// have stopped reporting.
    package init(_ units: [TrialUnit], _ plan: TrialPlan, at date: Date) {
        let closed = units.compactMap { unit in unit.closing(at: date).map { (unit, $0) } }
            .filter { $0.0.turns > 0 }
            .sorted { ($0.1, $0.0.place.patient) < ($1.1, $1.0.place.patient) }.map(\.0)
        let candidates = closed.filter { $0.place.arm != .control }.map(\.signals)
        let controls = closed.filter { $0.place.arm == .control }.map(\.signals)
        patients = candidates.count
        self.controls = controls.count
        let rises = TrialSignals.named.map { ($0.signal, "more \($0.name)", RateEvidence.Direction.rise) }
        questions = (rises + [(.alerted, "fewer alerted", .fall)]).map { signal, name, direction in
            Question(
                name: name,
                value: Self.value(signal, direction, candidates, controls, plan),
                control: Self.rate(of: signal, in: controls),
                candidate: Self.rate(of: signal, in: candidates)
            )
        }
    }

    /// The evidence at moments of equal distance; the first is the trial's beginning, the last is `end`.
    ///
    /// - Parameter moments: The number of moments, at least 2.
    package static func course(
        _ units: [TrialUnit],
        _ plan: TrialPlan,
        from began: Date,
        until end: Date,
        moments: Int
    ) -> [Double] {
        (0..<moments).map { index in
            let share = Double(index) / Double(moments - 1)
            let date = began.addingTimeInterval(end.timeIntervalSince(began) * share)
            let closed = units.filter { unit in unit.closing(at: date).map { $0 <= date } ?? false }
            return TrialEvidence(closed, plan, at: date).value
        }
    }

    /// The average wealth of all questions; it is an e-process, so no question weakens another.
    package var value: Double { questions.reduce(0) { $0 + $1.value } / Double(questions.count) }

    /// The question with the strongest evidence against the candidate.
    package var gravest: Question? { questions.max { $0.value < $1.value } }

    private static func value(
        _ signal: TrialSignals,
        _ direction: RateEvidence.Direction,
        _ candidates: [TrialSignals],
        _ controls: [TrialSignals],
        _ plan: TrialPlan
    ) -> Double {
        let blocks = min(candidates.count, controls.count / plan.controls)
        return RateEvidence(direction, controls: plan.controls).value(
            blocks: blocks,
            candidates: candidates.prefix(blocks).count { $0.contains(signal) },
            controls: controls.prefix(blocks * plan.controls).count { $0.contains(signal) }
        )
    }

    private static func rate(of signal: TrialSignals, in units: [TrialSignals]) -> Double {
        units.isEmpty ? 0 : Double(units.count { $0.contains(signal) }) / Double(units.count)
    }
}
