package import Foundation
import Reminders

/// What the record knows of a patient's week, for the digest of the family.
package struct WeeklyFacts: Sendable, Equatable {
    /// What became of the due times of one reminder.
    package struct Kept: Sendable, Equatable {
        /// The spoken name of the reminder.
        package let title: String
        /// Its purpose.
        package let kind: Reminder.Kind
        /// Due times that were done.
        package let done: Int
        /// Due times that were missed.
        package let missed: Int
        /// Due times that were left out.
        package let skipped: Int

        package init(title: String, kind: Reminder.Kind, done: Int, missed: Int, skipped: Int) {
            self.title = title
            self.kind = kind
            self.done = done
            self.missed = missed
            self.skipped = skipped
        }
    }

    /// Something that the patient said.
    package struct Said: Sendable, Equatable {
        /// The words.
        package let text: String
        /// When they were said.
        package let at: Date

        package init(_ text: String, at date: Date) {
            self.text = text
            at = date
        }
    }

    /// An alert of the week.
    package struct Alerted: Sendable, Equatable {
        /// Its level.
        package let level: Level
        /// Its subject.
        package let category: Category
        /// When it was raised.
        package let at: Date

        package init(level: Level, category: Category, at date: Date) {
            self.level = level
            self.category = category
            at = date
        }
    }

    /// The patient.
    package let patient: Patient
    /// The reminders of which something was due, in order of their names.
    package let reminders: [Kept]
    /// What the patient said, the oldest first; at most 2,000 messages.
    package let said: [Said]
    /// The alerts, the oldest first; at most 200.
    package let alerts: [Alerted]

    package init(patient: Patient, reminders: [Kept], said: [Said], alerts: [Alerted]) {
        self.patient = patient
        self.reminders = reminders
        self.said = said
        self.alerts = alerts
    }
}
