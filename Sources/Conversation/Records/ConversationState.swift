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
        /// Whether the question was "Are you all right now?", of what was said a while ago, and not the category's own.
        package var asksIfWell: Bool

        /// Makes a check.
        package init(category: Category, level: Level, askedAt: Date, step: Int = 0, asksIfWell: Bool = false) {
            self.category = category
            self.level = level
            self.askedAt = askedAt
            self.step = step
            self.asksIfWell = asksIfWell
        }

        /// Reads a check; one that was stored before a field was there has what the field meant then.
        package init(from decoder: any Decoder) throws {
            let stored = try decoder.container(keyedBy: CodingKeys.self)
            category = try stored.decode(Category.self, forKey: .category)
            level = try stored.decode(Level.self, forKey: .level)
            askedAt = try stored.decode(Date.self, forKey: .askedAt)
            step = try stored.decode(Int.self, forKey: .step)
            asksIfWell = try stored.decodeIfPresent(Bool.self, forKey: .asksIfWell) ?? false
        }
    }

    /// The open check, which was asked last; nil when nothing is being checked.
    package var check: Check?
    /// Checks that were open when another was asked, the latest first; each is asked again when the one before it is closed.
    package var waiting: [Check]
    /// Suspicion by category from 0 to 1, as of `riskAt`.
    package var risk: [String: Double]
    /// When the risk was last brought up to date.
    package var riskAt: Date?
    /// The day, in the patient's zone, on which the companion last said that it is an AI: "2026-03-01".
    package var disclosedOn: String?
    /// When the last reply offered to tell the family; nil when it offered nothing.
    package var offeredAt: Date?
    /// The ground that the last message trod on, as of `riskAt`.
    package var grounds: Set<Ground>

    /// Makes a state; empty unless given.
    package init(
        check: Check? = nil,
        waiting: [Check] = [],
        risk: [String: Double] = [:],
        riskAt: Date? = nil,
        disclosedOn: String? = nil,
        offeredAt: Date? = nil,
        grounds: Set<Ground> = []
    ) {
        self.check = check
        self.waiting = waiting
        self.risk = risk
        self.riskAt = riskAt
        self.disclosedOn = disclosedOn
        self.offeredAt = offeredAt
        self.grounds = grounds
    }

    /// The state with the checks of another conversation, if one was asked there after this one's last turn.
    package func withCheck(of other: ConversationState) -> ConversationState {
        guard let asked = other.check, riskAt.map({ $0 < asked.askedAt }) ?? true else { return self }
        var state = self
        state.waiting = other.waiting + (check.map { [$0] } ?? []) + waiting
        state.check = asked
        return state
    }

    /// Reads a state; one that was stored before a field was there lacks what the field holds.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        check = try stored.decodeIfPresent(Check.self, forKey: .check)
        waiting = try stored.decodeIfPresent([Check].self, forKey: .waiting) ?? []
        risk = try stored.decode([String: Double].self, forKey: .risk)
        riskAt = try stored.decodeIfPresent(Date.self, forKey: .riskAt)
        disclosedOn = try stored.decodeIfPresent(String.self, forKey: .disclosedOn)
        offeredAt = try stored.decodeIfPresent(Date.self, forKey: .offeredAt)
        grounds = try stored.decodeIfPresent(Set<Ground>.self, forKey: .grounds) ?? []
    }
}
