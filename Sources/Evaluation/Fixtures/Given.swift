package import Conversation
package import Foundation

/// What is true before a fixture's first word: who speaks, what is known, when it is, and what goes wrong.
package struct Given: Sendable, Equatable {
    /// A turn that was spoken before.
    package struct Earlier: Sendable, Equatable {
        /// What was said.
        package var said: String
        /// What was answered; nil when the answer never came to be.
        package var answered: String?
        /// How long before the fixture's clock.
        package var ago: Duration
    }

    /// A memory that recall finds.
    package struct Memory: Sendable, Equatable {
        /// What was said and answered.
        package var text: String
        /// How long before the fixture's clock.
        package var ago: Duration
    }

    /// Something that the patient is reminded of.
    package struct ReminderGiven: Sendable, Equatable {
        /// What it is called when spoken.
        package var title: String
        /// What it is for.
        package var kind: Reminder.Kind
        /// When it is due.
        package var schedule: Reminder.Schedule
        /// When it was done on the fixture's day, in hours and minutes of the patient's zone; nil when it was not.
        package var doneAt: (hour: Int, minute: Int)?

        package static func == (left: ReminderGiven, right: ReminderGiven) -> Bool {
            left.title == right.title && left.kind == right.kind && left.schedule == right.schedule
                && left.doneAt?.hour == right.doneAt?.hour && left.doneAt?.minute == right.doneAt?.minute
        }
    }

    /// What the patient is called.
    package var name = "Maggie"
    /// What the companion is called.
    package var companion = "Milo"
    /// A BCP 47 tag.
    package var language = "en-US"
    /// Where the patient lives in time.
    package var timeZone: TimeZone = .gmt
    /// How the companion speaks.
    package var tone = "warm"
    /// Whether the tenant knows the patient.
    package var isKnown = true
    /// When the first turn is spoken.
    package var clock = Date(timeIntervalSince1970: 1_772_355_600)
    /// What is known of the patient.
    package var facts: [Fact] = []
    /// What recall finds, nearest first.
    package var memories: [Memory] = []
    /// What the patient is reminded of.
    package var reminders: [ReminderGiven] = []
    /// Who may be told.
    package var contacts: [Contact] = []
    /// What was spoken before, oldest first.
    package var earlier: [Earlier] = []
    /// What the model says or how it fails; nil leaves it to the run's own model.
    package var model: ModelScript?
    /// The model that is asked when the first fails; nil when there is none.
    package var fallback: ModelScript?
    /// What goes wrong with a port, by its name.
    package var faults: [PortFault.Port: PortFault] = [:]
    /// The reminder, by title, that the first turn answers.
    package var answersReminder: String?
    /// How late each message reaches the service.
    package var late: Duration = .zero
    /// The caller's cap in words.
    package var wordCap = Turn.maximumWords
    /// Whether somebody waits to hear the reply.
    package var isAwaited = true

    /// Makes what is given unless said otherwise: Maggie on a Sunday morning, of whom nothing is known.
    package init() {}
}
