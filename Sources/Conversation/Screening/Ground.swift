/// A restricted topic: a subject on which the companion must not advise.
///
/// Replies on it are screened by stricter rules, because most of what a model can say there is wrong. Only a sentence
/// that plainly declines, refers, asks or sympathises passes.
package enum Ground: String, Sendable, Codable, CaseIterable {
    /// The message asks about medicines: whether, which, how much, with what.
    case medicine
    /// The message mentions medicines without a question.
    case medicineNamed = "medicine_named"
    /// The message asks about a symptom or illness, or its treatment.
    case health
    /// The message asks about law, or for advice on money.
    case law
    /// The message asks about the companion's nature or life.
    case identity
    /// The message orders the companion to be, say, keep or forget something.
    case orders
    /// The message tells of a danger of body or mind; this is decided, not read from a rule.
    case danger
    /// The message continues the topic of the one before it, as "And with wine?" does.
    case continued
}
