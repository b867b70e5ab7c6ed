/// A patient with the active reminders.
package struct PatientReminders: Sendable, Equatable {
    /// The greatest number of active reminders of a patient.
    package static let most = 100

    package let patient: Patient
    /// The reminders, oldest first.
    package let reminders: [Reminder]

    package init(patient: Patient, reminders: [Reminder]) {
        self.patient = patient
        self.reminders = reminders
    }
}
