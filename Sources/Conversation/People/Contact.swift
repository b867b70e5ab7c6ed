/// A person who may be notified about the patient.
package struct Contact: Sendable, Equatable, Codable {
    /// The contact's identity.
    package let id: ContactID
    /// The patient's name for the contact.
    package let name: String
    /// The contact's relation, such as "daughter"; empty when unknown.
    package let relation: String
    /// The order of notification: 1, then 2, then 3.
    package let priority: Int
    /// True if the contact is notified of suspected abuse; the default list is not.
    package let isForAbuse: Bool

    package init(id: ContactID, name: String, relation: String, priority: Int, isForAbuse: Bool = false) {
        self.id = id
        self.name = name
        self.relation = relation
        self.priority = priority
        self.isForAbuse = isForAbuse
    }
}
