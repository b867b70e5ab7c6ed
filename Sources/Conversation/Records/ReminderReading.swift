import Domain
import Foundation
import Reminders

/// What words about reminders come to: a deed that is read back, or a question.
enum ReminderReading {
    /// What a yes does, and how it is read back.
    case deed(ReminderDeed, plan: String)
    /// What is asked.
    case question(String)
    /// Which of two reminders is meant.
    case which(Reminder, Reminder)
    /// No reminder fits the words.
    case unfound

    /// Reads words; nil when they are not about reminders.
    ///
    /// - Parameter id: The identity of a reminder that they make.
    init?(_ words: String, at date: Date, for memory: PatientMemory, making id: ReminderID) {
        let patient = memory.patient
        let reader = ReminderWords(
            at: date,
            in: patient.timeZone,
            language: ReminderLanguage(tag: patient.language),
            companion: patient.companionName,
            medicines: memory.reminders.filter(\.isMedicine).map(\.title)
        )
        if let order = reader.order(words) {
            self.init(order, words, reader, memory)
            return
        }
        guard reader.asks(words), memory.reminders.count < PatientReminders.most else { return nil }
        switch reader.read(words) {
        case .notAReminder: return nil
        case .unsure(let question, let language):
            self = .question(Self.asked(question.text(in: language), of: reader.heard(in: words)))
        case .understood(let plan):
            let made = Reminder(
                id: id,
                title: plan.title,
                kind: plan.kind,
                schedule: plan.schedule,
                leadMinutes: plan.leadMinutes
            )
            self = .deed(.make(made), plan: plan.sentence)
        }
    }

    /// A question with what was understood before it: "Call Susan: at what time?".
    private static func asked(_ question: String, of heard: String?) -> String {
        guard let heard, WordCount.of(heard) + WordCount.of(question) <= Turn.maximumWords else { return question }
        let title = heard.filter { !"{}".contains($0) }
        let sign = question.hasPrefix("¿") ? "¿" : ""
        let rest = question.dropFirst(sign.count)
        return
            "\(title.prefix(1).uppercased())\(title.dropFirst()): \(sign)\(rest.prefix(1).lowercased())\(rest.dropFirst())"
    }

    /// Reads what is to become of a reminder that there is, or of the hours of rest.
    private init?(_ order: ReminderOrder, _ words: String, _ reader: ReminderWords, _ memory: PatientMemory) {
        let speech = ReminderSpeech(ReminderLanguage(tag: memory.patient.language))
        if case .quiet(let from, let until) = order {
            guard let hours = QuietHours(from: from.minuteOfDay, until: until.minuteOfDay) else { return nil }
            self = .deed(.rest(hours), plan: speech.rest(from: from, until: until))
            return
        }
        let named = Self.named(in: words, reader, memory)
        guard let one = named.first else {
            let said = ReminderWordsSaid.words(of: words)
            guard said.contains(where: { $0.hasPrefix("remind") || $0.hasPrefix("record") || $0.hasPrefix("aviso") })
            else { return nil }
            self = .unfound
            return
        }
        if named.count > 1 {
            self = .which(one, named[1])
            return
        }
        do throws(ReminderQuestion) {
            switch order {
            case .end, .quiet: self = .deed(.end(one.id), plan: speech.ending(one.title))
            case .unsure: throw .everyWeek
            case .move:
                let moved = one.due(try reader.moved(one.schedule, by: words))
                self = .deed(.replace(moved), plan: reader.sentence(one.title, moved.schedule))
            case .leaveOut(let days):
                let left = one.due(try reader.leaving(out: days, of: one.schedule))
                self = .deed(.replace(left), plan: reader.sentence(one.title, left.schedule))
            }
        } catch {
            self = .question(error.text(in: ReminderLanguage(tag: memory.patient.language)))
        }
    }

    /// The reminders that the words fit best: by the words of their titles, else by what they are for.
    private static func named(in words: String, _ reader: ReminderWords, _ memory: PatientMemory) -> [Reminder] {
        let said = Set(ReminderWordsSaid.words(of: words).map(singular))
        let kinds = reader.kinds(in: words)
        let scored = memory.reminders.map { one in
            let title = Set(ReminderWordsSaid.words(of: one.title).map(singular)).subtracting(unnamed)
            return (one, said.intersection(title).count * 2 + (kinds.contains(one.kind) ? 1 : 0))
        }
        let best = scored.map(\.1).max() ?? 0
        return best == 0 ? [] : scored.filter { $0.1 == best }.map(\.0)
    }

    private static func singular(_ word: String) -> String {
        word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// Words of titles that name nothing.
    private static let unnamed: Set<String> = [
        "the", "my", "your", "a", "an", "of", "to", "at", "for", "with", "and", "in", "on", "take", "el", "la", "lo",
        "un",
        "una", "mi", "su", "de", "del", "al", "con", "para", "y", "a", "en", "tomar",
    ]
}

extension Reminder {
    /// The same on another schedule.
    fileprivate func due(_ schedule: Schedule) -> Reminder {
        Reminder(
            id: id,
            title: title,
            kind: kind,
            schedule: schedule,
            dose: dose,
            leadMinutes: leadMinutes,
            pause: pause,
            isCritical: isCritical,
            events: events
        )
    }
}
