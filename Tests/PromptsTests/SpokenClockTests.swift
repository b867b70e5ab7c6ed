import Foundation
import Testing

@testable import Prompts

@Suite struct `The clock of a prompt` {
    private static let newYork = TimeZone(identifier: "America/New_York") ?? .gmt

    @Test(arguments: [
        (0.0, "Tuesday 3 March 2026, 9:05 in the morning", "martes 3 de marzo de 2026, 9:05 de la mañana"),
        (3, "Tuesday 3 March 2026, 12:05 in the afternoon", "martes 3 de marzo de 2026, 12:05 de la tarde"),
        (10, "Tuesday 3 March 2026, 7:05 in the evening", "martes 3 de marzo de 2026, 7:05 de la noche"),
        (15, "Wednesday 4 March 2026, 12:05 at night", "miércoles 4 de marzo de 2026, 12:05 de la noche"),
        (119, "Sunday 8 March 2026, 9:05 in the morning", "domingo 8 de marzo de 2026, 9:05 de la mañana"),
    ])
    func `speaks of the patient's own day`(_ hours: Double, _ english: String, _ spanish: String) {
        let date = ShippedPrompts.date.addingTimeInterval(hours * 3_600)
        #expect(SpokenClock(SpokenLanguage(tag: "en-US"), in: Self.newYork).now(date) == english)
        #expect(SpokenClock(SpokenLanguage(tag: "es"), in: Self.newYork).now(date) == spanish)
    }

    @Test(arguments: [
        (-1.0, "some minutes ago", "hace unos minutos"), (0.007, "some minutes ago", "hace unos minutos"),
        (0.05, "an hour ago", "hace una hora"), (0.09, "some hours ago", "hace unas horas"),
        (0.9, "some hours ago", "hace unas horas"),
        (1, "1 day ago", "hace 1 día"), (13, "13 days ago", "hace 13 días"),
        (14, "2 weeks ago", "hace 2 semanas"),
        (60, "2 months ago", "hace 2 meses"), (800, "2 years ago", "hace 2 años"),
    ])
    func `says roughly how long ago something was`(_ days: Double, _ english: String, _ spanish: String) {
        let date = ShippedPrompts.date.addingTimeInterval(-days * 86_400)
        #expect(SpokenClock(SpokenLanguage(tag: "en"), in: .gmt).ago(date, from: ShippedPrompts.date) == english)
        #expect(
            SpokenClock(SpokenLanguage(tag: "es-MX"), in: .gmt).ago(date, from: ShippedPrompts.date)
                == spanish
        )
    }

    @Test(arguments: [
        ("en-US", "English", false), ("ES_mx", "Spanish", true), ("", "English", false), ("xx", "xx", false),
    ])
    func `reads the language of a tag`(_ tag: String, _ name: String, _ isSpanish: Bool) {
        let language = SpokenLanguage(tag: tag)
        #expect(language.name == name && language.isSpanish == isSpanish)
    }
}

@Suite struct `A value's text` {
    @Test(arguments: [
        ("tea", 10, "tea"), ("a\nb\r\n\tc", 10, "a b c"), ("a\u{2028}b\u{85}c\u{7F}d", 10, "a b c d"),
        ("héllo", 5, "héllo"), ("hello!", 5, "hell…"),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2, "👨‍👩‍👧‍👦…"), ("", 5, ""), ("\n\n", 5, ""),
    ])
    func `stands on one line within its length`(_ text: String, _ limit: Int, _ expected: String) {
        #expect(text.onOneLine(atMost: limit) == expected)
    }
}
