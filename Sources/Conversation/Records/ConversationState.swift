package import Foundation

/// What a conversation carries from turn to turn besides its words: open questions and the risk so far.
package struct ConversationState: Sendable, Equatable, Codable {
    /// A question that we asked and that is still to be answered.
    package struct Check: Sendable, Equatable, Codable {
        /// What the question is about.
        package var category: Category
        /// The level that was decided when it was asked.
        package var level: Level
        /// When it was asked.
        package var askedAt: Date
        /// Which step of the category's dialogue it is, from 0.
        package var step: Int

        /// Makes a check.
        package init(category: Category, level: Level, askedAt: Date, step: Int = 0) {
            self.category = category
            self.level = level
            self.askedAt = askedAt
            self.step = step
        }
    }

    /// The open check; nil when nothing is being checked.
    package var check: Check?
    /// Suspicion by category from 0 to 1, as of `riskAt`.
    package var risk: [String: Double]
    /// When the risk was last brought up to date.
    package var riskAt: Date?
    /// The day, in the patient's zone, on which the companion last said that it is an AI: "2026-03-01".
    package var disclosedOn: String?

    /// Makes a state; empty unless given.
    package init(check: Check? = nil, risk: [String: Double] = [:], riskAt: Date? = nil, disclosedOn: String? = nil) {
        self.check = check
        self.risk = risk
        self.riskAt = riskAt
        self.disclosedOn = disclosedOn
    }
}
