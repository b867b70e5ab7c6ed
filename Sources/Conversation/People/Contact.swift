/// A person who may be told about the patient.
package struct Contact: Sendable, Equatable, Codable {
    /// Which contact.
    package let id: ContactID
    /// What the patient calls the contact.
    package let name: String
    /// How the contact is related, such as "daughter"; empty when unknown.
    package let relation: String
    /// Who is told first: 1, then 2, then 3.
    package let priority: Int
    /// Whether the contact is told of suspected abuse, which the default list is not.
    package let isForAbuse: Bool

    /// Makes a contact from the record.
    package init(id: ContactID, name: String, relation: String, priority: Int, isForAbuse: Bool = false) {
        self.id = id
        self.name = name
        self.relation = relation
        self.priority = priority
        self.isForAbuse = isForAbuse
    }
}
