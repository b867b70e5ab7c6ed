package import Foundation

/// Who the patient is and who may be told.
package struct PatientProfile: Sendable, Equatable {
    /// The patient.
    package let patient: Patient
    /// Who may be told, by priority.
    package let contacts: [ContactDetails]
    /// Since when the patient is known.
    package let createdAt: Date

    /// Makes a profile from the record.
    package init(patient: Patient, contacts: [ContactDetails], createdAt: Date) {
        self.patient = patient
        self.contacts = contacts
        self.createdAt = createdAt
    }
}
