package import Foundation

/// The patient with the contacts.
package struct PatientProfile: Sendable, Equatable {
    /// The patient.
    package let patient: Patient
    /// The contacts who may be notified, by priority.
    package let contacts: [ContactDetails]
    /// The time of the enrolment.
    package let createdAt: Date

    package init(patient: Patient, contacts: [ContactDetails], createdAt: Date) {
        self.patient = patient
        self.contacts = contacts
        self.createdAt = createdAt
    }
}
