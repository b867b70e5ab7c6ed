/// Ground on which a companion has next to nothing to say: what a message asks for, and nobody here may give.
///
/// A reply on it is held to stricter rules than other talk: most of what a model can say there is wrong, so that only what
/// plainly declines, refers, asks or feels along is let through.
package enum Ground: String, Sendable, Codable, CaseIterable {
    /// The message asks about medicines: whether, which, how much, with what.
    case medicine
    /// It tells of medicines, and asks nothing of them.
    case medicineNamed = "medicine_named"
    /// It asks what ails somebody, or what to do about it.
    case health
    /// It asks about law, or what to do with money.
    case law
    /// It asks what the companion is, or about its life.
    case identity
    /// It tells the companion what to be, to say, to keep or to forget.
    case orders
    /// It tells of a danger of body or mind, which is decided and not read from a rule.
    case danger
    /// It goes on with what the message before it was about: "And with wine?"
    case continued
}
