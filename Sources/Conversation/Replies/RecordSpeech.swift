import Foundation

/// The sentences in which records are spoken, in English or Spanish.
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

    func time(_ date: Date, in zone: TimeZone) -> RecordAnswer {
        say("It's \(clock(date, zone)).", "Son las \(clock(date, zone)).")
    }

    func day(_ date: Date, in zone: TimeZone) -> RecordAnswer {
        let day = formatted(date, isSpanish ? "EEEE d 'de' MMMM 'de' yyyy" : "EEEE, MMMM d, yyyy", zone)
        return say("Today is \(day).", "Hoy es \(day).")
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

    /// A title is somebody's text: at most six words of it are spoken, so that the sentence stays within the cap.
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
