import Foundation

/// Writes dates for a prompt in English or Spanish.
struct SpokenClock: Sendable {
    private let calendar: Calendar
    private let isSpanish: Bool

    init(_ language: SpokenLanguage, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        isSpanish = language.isSpanish
    }

    /// Writes a date and time, such as "Tuesday 3 March 2026, 9:05 in the morning".
    ///
    /// The text is built without a formatter, because a formatter costs more than the prompt.
    func now(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute], from: date)
        guard let year = parts.year, let month = parts.month, let day = parts.day,
            let weekday = parts.weekday,
            let hour = parts.hour, let minute = parts.minute
        else { return "" }
        let clock = "\((hour + 11) % 12 + 1):\(minute < 10 ? "0" : "")\(minute) \(partOfDay(hour))"
        return isSpanish
            ? "\(Self.diasDeLaSemana[weekday - 1]) \(day) de \(Self.meses[month - 1]) de \(year), \(clock)"
            : "\(Self.weekdays[weekday - 1]) \(day) \(Self.months[month - 1]) \(year), \(clock)"
    }

    /// Writes the approximate time since a date: "some minutes ago", "3 days ago", "2 months ago".
    func ago(_ date: Date, from now: Date) -> String {
        let seconds = max(0, now.timeIntervalSince(date))
        let days = Int(seconds / 86_400)
        switch days {
        case 0 where seconds < 3_600: return isSpanish ? "hace unos minutos" : "some minutes ago"
        case 0 where seconds < 7_200: return isSpanish ? "hace una hora" : "an hour ago"
        case 0: return isSpanish ? "hace unas horas" : "some hours ago"
        case 1..<14: return count(days, "day", "día", "días")
        case 14..<60: return count(days / 7, "week", "semana", "semanas")
        case 60..<730: return count(days / 30, "month", "mes", "meses")
        default: return count(days / 365, "year", "año", "años")
        }
    }

    private func count(_ number: Int, _ unit: String, _ unidad: String, _ unidades: String) -> String {
        isSpanish
            ? "hace \(number) \(number == 1 ? unidad : unidades)"
            : "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }

    private func partOfDay(_ hour: Int) -> String {
        switch hour {
        case 5..<12: isSpanish ? "de la mañana" : "in the morning"
        case 12..<18: isSpanish ? "de la tarde" : "in the afternoon"
        case 18..<22: isSpanish ? "de la noche" : "in the evening"
        default: isSpanish ? "de la noche" : "at night"
        }
    }

    private static let weekdays = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November",
        "December",
    ]
    private static let diasDeLaSemana = [
        "domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado",
    ]
    private static let meses = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
        "noviembre",
        "diciembre",
    ]
}

/// The language of a prompt's notes and of the requested reply.
struct SpokenLanguage: Sendable, Equatable {
    /// The first part of the tag in lower case: "en", "es".
    let code: String

    /// Reads a BCP 47 tag; an empty tag means English.
    init(tag: String) {
        let first = tag.prefix { $0.isLetter }.lowercased()
        code = first.isEmpty ? "en" : first
    }

    /// True if the notes are in Spanish; all other languages have English notes.
    var isSpanish: Bool { code == "es" }

    /// The language's English name for the model; the code itself for rare languages.
    var name: String { Self.names[code] ?? code }

    private static let names = [
        "en": "English", "es": "Spanish", "fr": "French", "de": "German", "it": "Italian", "pt": "Portuguese",
        "nl": "Dutch", "pl": "Polish", "ru": "Russian", "uk": "Ukrainian", "el": "Greek", "tr": "Turkish",
        "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
        "vi": "Vietnamese", "tl": "Tagalog",
    ]
}
