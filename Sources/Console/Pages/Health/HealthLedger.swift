import Domain
import Foundation

/// Sums what this process counts into minutes, tens of minutes and hours by the clock on the wall.
///
/// A state machine: each sample that ends a minute returns the figures to be stored. The figures of longer steps are
/// those so far, so that a lost storing is made good by the next one.
struct HealthLedger: Sendable {
    /// The figures of a step so far.
    typealias Sum = (step: HealthStep, start: Date, figures: HealthFigures)

    private var first: (sample: HealthSample, minute: Date)?
    private var deepest: [String: Double] = [:]
    private var sums: [HealthStep: (start: Date, figures: HealthFigures)] = [:]

    /// Takes a sample; returns the figures of the minute that it ends, and of the longer steps with it.
    mutating func take(_ sample: HealthSample, at date: Date) -> [Sum] {
        let minute = HealthStep.minute.start(of: date)
        guard let first, first.minute != minute else {
            if first == nil { first = (sample, minute) }
            deepest.merge(sample.total.queues, uniquingKeysWith: max)
            return []
        }
        deepest.merge(sample.total.queues, uniquingKeysWith: max)
        return end(first, with: sample, next: minute)
    }

    /// Ends the present minute early, when the process stops.
    mutating func close(with sample: HealthSample, at date: Date) -> [Sum] {
        guard let first else { return [] }
        return end(first, with: sample, next: HealthStep.minute.start(of: date))
    }

    private mutating func end(
        _ first: (sample: HealthSample, minute: Date),
        with sample: HealthSample,
        next minute: Date
    ) -> [Sum] {
        var figures = sample.since(first.sample)
        figures.queues = deepest
        self.first = (sample, minute)
        deepest = sample.total.queues
        return HealthStep.allCases.map { step in
            let start = step.start(of: first.minute)
            let sum = sums[step].flatMap { $0.start == start ? $0.figures.then(figures) : nil } ?? figures
            sums[step] = (start, sum)
            return (step, start, sum)
        }
    }
}
