/// What a message says of a dose of a medicine.
package enum DoseReport: String, Sendable, Codable, CaseIterable {
    /// A dose was taken twice, or one more than was due.
    case repeated
    /// Somebody is about to take one more, asks whether to, or does not know whether it is taken.
    case wanted
    /// A dose is taken now, or is about to be.
    case taken
    /// No rule knows it, and the detector takes it for a danger of medicines.
    case suspected
}
