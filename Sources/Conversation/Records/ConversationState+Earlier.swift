import Foundation

/// Reads states that were stored before incidents had their own form.
extension ConversationState {
    private enum Keys: String, CodingKey {
        case incidents, question, said, risk, riskAt, disclosedOn, grounds
        /// The earlier form: the last check, the checks behind it, and the time of the family's offer.
        case check, waiting, offeredAt
    }

    /// A check of the earlier form.
    private struct Check: Decodable {
        let category: Category
        let level: Level
        let askedAt: Date
        let asksIfWell: Bool?
    }

    /// Reads a state; missing fields are empty, and a check of the earlier form becomes an incident with its
    /// question.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: Keys.self)
        self.init(
            incidents: try stored.decodeIfPresent([Incident].self, forKey: .incidents) ?? [],
            question: try stored.decodeIfPresent(OpenQuestion.self, forKey: .question),
            said: try stored.decodeIfPresent([String].self, forKey: .said) ?? [],
            risk: try stored.decodeIfPresent([String: Double].self, forKey: .risk) ?? [:],
            riskAt: try stored.decodeIfPresent(Date.self, forKey: .riskAt),
            disclosedOn: try stored.decodeIfPresent(String.self, forKey: .disclosedOn),
            grounds: try stored.decodeIfPresent(Set<Ground>.self, forKey: .grounds) ?? []
        )
        let check = try stored.decodeIfPresent(Check.self, forKey: .check)
        let waiting = try stored.decodeIfPresent([Check].self, forKey: .waiting) ?? []
        guard incidents.isEmpty, question == nil else { return }
        incidents = ([check].compactMap { $0 } + waiting).prefix(Self.mostIncidents).map {
            Incident(category: $0.category, level: $0.level, evidenceAt: $0.askedAt, replies: 1)
        }
        if let check {
            question = OpenQuestion(
                kind: check.asksIfWell == true ? .late : .check,
                category: check.category,
                level: check.level,
                askedAt: check.askedAt
            )
        } else if let offeredAt = try stored.decodeIfPresent(Date.self, forKey: .offeredAt) {
            question = OpenQuestion(kind: .offer, category: .request, level: .none, askedAt: offeredAt)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var stored = encoder.container(keyedBy: Keys.self)
        if !incidents.isEmpty { try stored.encode(incidents, forKey: .incidents) }
        try stored.encodeIfPresent(question, forKey: .question)
        if !said.isEmpty { try stored.encode(said, forKey: .said) }
        if !risk.isEmpty { try stored.encode(risk, forKey: .risk) }
        try stored.encodeIfPresent(riskAt, forKey: .riskAt)
        try stored.encodeIfPresent(disclosedOn, forKey: .disclosedOn)
        if !grounds.isEmpty { try stored.encode(grounds.sorted { $0.rawValue < $1.rawValue }, forKey: .grounds) }
    }
}
