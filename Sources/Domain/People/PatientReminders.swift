/// A patient with the reminders that are in force.
package struct PatientReminders: Sendable, Equatable {
    /// The most reminders that a patient may have in force.
    package static let most = 100

    /// Whose they are.
    package let patient: Patient
    /// The reminders, the one that was made first in front.
    package let reminders: [Reminder]

    /// Gathers the reminders of a patient.
    package init(patient: Patient, reminders: [Reminder]) {
        self.patient = patient
        self.reminders = reminders
    }
}
