/// The meaning of a message for a danger that was reported before, by a learned reader.
package enum EndingReading: Sendable, Equatable {
    /// The danger has ended, or help has been called.
    case ends(Closing)
    /// The danger goes on, as in "don't fuss, it's only a hip".
    case goesOn
}

/// The kind of a reported danger about which a later message may speak.
package enum DangerKind: String, Sendable, CaseIterable {
    /// A fall, an illness, or a person who is lost.
    case body
    /// Fire, gas, cold, an intruder.
    case house
    case fraud
    /// Thoughts of death, and harm by others.
    case mind

    /// The kind that a category belongs to.
    package init(_ category: Category) {
        switch category {
        case .environment: self = .house
        case .scam: self = .fraud
        case .selfHarm, .abuse, .neglect, .distress: self = .mind
        default: self = .body
        }
    }
}

extension Screening {
    /// Returns the screening with the readings of a learned reader about open dangers.
    ///
    /// A danger that goes on is neither over nor a mistake, whatever the rules have found in the words.
    package func completed(by readings: [EndingReading]) -> Screening {
        let ended = readings.compactMap { if case .ends(let closing) = $0 { closing } else { nil } }
        var completed = self
        if !ended.isEmpty {
            completed.closings.formUnion(ended)
        } else if readings.contains(.goesOn) {
            completed.closings.subtract([.recovered, .falseAlarm])
        }
        return completed
    }
}
