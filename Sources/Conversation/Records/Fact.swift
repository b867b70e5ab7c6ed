package import Foundation

/// Something known about the patient, with who said it and when.
package struct Fact: Sendable, Equatable, Codable {
    /// What a fact is about; decides whether a later one may replace it by itself.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case allergy, medicine, contact, condition, person, place, preference, event, other

        /// Whether only a person may replace such a fact: a wrong allergy, medicine or contact can kill.
        package var isProtected: Bool {
            switch self {
            case .allergy, .medicine, .contact: true
            case .condition, .person, .place, .preference, .event, .other: false
            }
        }
    }

    /// Who said it.
    package enum Speaker: String, Sendable, Codable {
        case patient, caregiver, operator_ = "operator", record
    }

    /// Which fact.
    package let id: FactID
    /// What it is about.
    package let kind: Kind
    /// What the fact is of, in a few words: "cat's name".
    ///
    /// Two facts of one kind and subject contradict each other.
    package let subject: String
    /// The fact as a short sentence in the third person.
    package let text: String
    /// Who said it.
    package let saidBy: Speaker
    /// When it was said.
    package let saidAt: Date

    /// Makes a fact.
    package init(
        id: FactID = FactID(),
        kind: Kind,
        subject: String,
        text: String,
        saidBy: Speaker,
        saidAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.text = text
        self.saidBy = saidBy
        self.saidAt = saidAt
    }
}
