import Foundation

/// The sentences that speak of records, in English or Spanish.
struct RecordSpeech: Sendable {
    private let isSpanish: Bool

    init(language: String) {
        isSpanish = language.lowercased().hasPrefix("es")
    }

    var recordsAway: RecordAnswer {
        say(
            "I can't see your records just now. Shall I ask your family?",
            "Ahora no veo sus datos. ¿Aviso a su familia?"
        )
    }

    var nothingNext: RecordAnswer {
        say("You have nothing planned for the next seven days.", "No tiene nada previsto en los próximos siete días.")
    }

    var noDoseDue: RecordAnswer {
        say("Your records show no medicine due yet today.", "Sus datos no muestran ninguna medicina pendiente hoy.")
    }

    var noSuchDoseDue: RecordAnswer {
        say(
            "Your records show no such medicine due so far today.",
            "Sus datos no muestran esa medicina pendiente hasta ahora hoy."
        )
    }

    var noDoseNext: RecordAnswer {
        say(
            "Your records show no medicine for the next seven days.",
            "Sus datos no muestran ninguna medicina en los próximos siete días."
        )
    }

    var unknownMedicine: RecordAnswer {
        say(
            "I don't see that medicine in your records. Shall I ask your family first?",
            "No veo esa medicina en sus datos. ¿Pregunto antes a su familia?"
        )
    }

    var allTaken: RecordAnswer {
        say(
            "Yes. Your records show all your medicine due so far today as taken.",
            "Sí. Consta como tomada toda su medicina de hoy hasta ahora."
        )
    }

    var noAppointment: RecordAnswer {
        say(
            "Your records show no appointment in the next seven days.",
            "Sus datos no muestran ninguna cita en los próximos siete días."
        )
    }

    var unknownAppointment: RecordAnswer {
        say(
            "I don't see that appointment in your records for the next seven days. Shall I ask your family?",
            "No veo esa cita en sus datos para los próximos siete días. ¿Pregunto a su familia?"
        )
    }

    func time(_ date: Date, in zone: TimeZone) -> RecordAnswer {
        let clock = clock(date, zone)
        return say("It's \(clock).", "\(clock.hasPrefix("1:") ? "Es la" : "Son las") \(clock).")
    }

    /// - Parameter days: How many days after today the day is, from -1 to 1.
    func day(_ date: Date, after days: Int, in zone: TimeZone) -> RecordAnswer {
        let day = formatted(date, isSpanish ? "EEEE d 'de' MMMM 'de' yyyy" : "EEEE, MMMM d, yyyy", zone)
        return switch days {
        case 1: say("Tomorrow is \(day).", "Mañana es \(day).")
        case -1: say("Yesterday was \(day).", "Ayer fue \(day).")
        default: say("Today is \(day).", "Hoy es \(day).")
        }
    }

    /// Returns the answer to whether a day has the named weekday, with the day itself.
    func weekday(_ isSo: Bool, _ date: Date, after days: Int, in zone: TimeZone) -> RecordAnswer {
        let day = day(date, after: days, in: zone).text
        return isSo ? say("Yes. \(day)", "Sí. \(day)") : say("No. \(day)", "No. \(day)")
    }

    func next(_ title: String, at due: Date, from now: Date, in zone: TimeZone) -> RecordAnswer {
        let day = dayName(due, from: now, zone)
        return say(
            "Next is \(spoken(title)), \(day) at \(clock(due, zone)).",
            "Lo próximo es \(spoken(title)), \(day) a las \(clock(due, zone))."
        )
    }

    func taken(_ title: String, at date: Date, in zone: TimeZone) -> RecordAnswer {
        say(
            "Yes. Your records show your \(spoken(title)) as taken at \(clock(date, zone)).",
            "Sí. Consta \(spoken(title)) como tomada a las \(clock(date, zone))."
        )
    }

    func notTaken(_ title: String) -> RecordAnswer {
        say(
            "Your records don't show your \(spoken(title)) as taken. Want me to ask your family first?",
            "No consta \(spoken(title)) como tomada. ¿Pregunto antes a su familia?"
        )
    }

    func missed(_ title: String, dueAt: Date, in zone: TimeZone) -> RecordAnswer {
        say(
            "Your \(spoken(title)) was due at \(clock(dueAt, zone)) today; your records don't show it as taken.",
            "A las \(clock(dueAt, zone)) le tocaba \(spoken(title)); no consta como tomada."
        )
    }

    /// Returns the beginning of a title.
    ///
    /// Only six words of a person's text are spoken, so that the sentence stays within the cap.
    private func spoken(_ title: String) -> String {
        let words = WordCount.words(in: title)
        guard words.count > 6 else { return title }
        return String(title[..<words[5].upperBound])
    }

    private func dayName(_ due: Date, from now: Date, _ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        if calendar.isDate(due, inSameDayAs: now) { return isSpanish ? "hoy" : "today" }
        let tomorrow = calendar.date(byAdding: .day, value: 1, to: now)
        if let tomorrow, calendar.isDate(due, inSameDayAs: tomorrow) { return isSpanish ? "mañana" : "tomorrow" }
        return (isSpanish ? "el " : "on ") + formatted(due, "EEEE", zone)
    }

    private func clock(_ date: Date, _ zone: TimeZone) -> String {
        formatted(date, isSpanish ? "H:mm" : "h:mm a", zone)
    }

    private func formatted(_ date: Date, _ pattern: String, _ zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: isSpanish ? "es" : "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = pattern
        return formatter.string(from: date)
    }

    private func say(_ english: String, _ spanish: String) -> RecordAnswer {
        RecordAnswer(isSpanish ? spanish : english)
    }
}
