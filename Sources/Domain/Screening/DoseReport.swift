/// The kind of a message's statement about a dose of a medicine.
package enum DoseReport: String, Sendable, Codable, CaseIterable {
    /// A dose was taken twice, or one more was taken than was due.
    case repeated
    /// The person is about to take one more, asks whether to, or does not know whether it was taken.
    case wanted
    /// A dose is being taken, or is about to be.
    case taken
    /// No rule matched, but the detector suspects a danger of medicines.
    case suspected
}
