import Reminders
import Testing

/// Reminders that are gathered from much else that is said: corrections, lists, events, stories and what a machine
/// misheard.
@Suite struct GatheredWordsTests {
    @Test(arguments: Rows.read(english))
    func `an English reminder is gathered from all that is said`(row: Rows.Row) {
        #expect(Rows.reading(of: row.words, .english) == row.meaning)
    }

    @Test(arguments: Rows.read(spanish))
    func `a Spanish reminder is gathered from all that is said`(row: Rows.Row) {
        #expect(Rows.reading(of: row.words, .spanish) == row.meaning)
    }

    /// Words that may change time, day or deed, or that tell of something: none of them makes a reminder.
    @Test(arguments: doubtful)
    func `nothing is gathered where a word may change it`(words: String, language: ReminderLanguage) {
        if case .understood(let plan) = Rows.words(language).read(words) { Issue.record("\(plan.sentence)") }
    }

    private static let english = """
        eye drops four times a day at 8, 12, 4 and 8
            eye drops | medicine | 20260303T120000 DAILY;BYHOUR=8,12,16,20;BYMINUTE=0 | Every day at eight in the morning, at noon, at four in the afternoon and at eight in the evening: eye drops.
        Remind me at 6 pm, no, 7 pm, to call Ann
            call Ann | call | 20260303T190000 | Today at seven in the evening: call Ann.
        Remind me at 9 am for the next three Mondays to take the bins out
            take the bins out | other | 20260309T090000 WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;COUNT=3 | Every Monday at nine in the morning, 3 times: take the bins out.
        Don't wake me at seven tomorrow, wake me at nine
            wake up | other | 20260304T090000 | Tomorrow at nine in the morning: wake up.
        Remind me Thursday, I mean Friday, at 2 pm to ring the plumber
            ring the plumber | call | 20260306T140000 | On Friday, March 6 at two in the afternoon: ring the plumber.
        remind me too ring the bank tomorrow at ate thirty in the morning
            ring the bank | call | 20260304T083000 | Tomorrow at half past eight in the morning: ring the bank.
        """

    private static let spanish = """
        No me despiertes a las siete mañana, despiértame a las nueve
            despertarse | other | 20260304T090000 | Mañana a las nueve de la mañana: despertarse.
        Recuérdame los próximos tres lunes a las nueve de la mañana sacar la basura
            sacar la basura | other | 20260309T090000 WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;COUNT=3 | Todos los lunes a las nueve de la mañana, 3 veces: sacar la basura.
        Recuérdame las gotas a las ocho de la mañana, everyday
            gotas | medicine | 20260304T080000 DAILY;BYHOUR=8;BYMINUTE=0 | Todos los días a las ocho de la mañana: gotas.
        Avísame mañana y pasado a las nueve de la mañana que riegue
            riegue | other | 20260304T090000 DAILY;BYHOUR=9;BYMINUTE=0;UNTIL=20260305T235900 | Todos los días a las nueve de la mañana, hasta el jueves 5 de marzo: riegue.
        Tres tardes seguidas a las seis las gotas, empezando hoy
            gotas | medicine | 20260303T180000 DAILY;BYHOUR=18;BYMINUTE=0;UNTIL=20260305T235900 | Todos los días a las seis de la tarde, hasta el jueves 5 de marzo: gotas.
        recuerda me mañana alas onse de la mañana llamar a Ana
            llamar a Ana | call | 20260304T110000 | Mañana a las once de la mañana: llamar a Ana.
        """

    private static let doubtful: [(String, ReminderLanguage)] = [
        ("Remind me at 9 am to call Ann, unless she rings first", .english),
        ("Remind me at 9 am to take the red pill, and the white pill at 9 pm", .english),
        ("Remind me at 6 pm to put the bins out because they collect tomorrow", .english),
        ("Remind me at 8 am to take my vitamins, never mind, I have them", .english),
        ("Remind me on Pancake Day at 9 am to buy lemons", .english),
        ("You remind me of my sister, the way you talk every night at six", .english),
        ("Every morning at six for thirty years that whistle woke us", .english),
        ("I have to be somewhere at ten thirty tomorrow", .english),
        ("Remind me at 9 am or 10 am to call Ann", .english),
        ("Remind me at 2 pm, no", .english),
        ("Recuérdame a las nueve de la mañana llamar a Ana, salvo que llame ella", .spanish),
        ("Esa canción me recuerda a las verbenas de los sábados por la noche", .spanish),
        ("Mi hija me va a recordar mañana a las diez lo del notario", .spanish),
        ("Recuérdame todos los martes menos el primero a las diez sacar la basura", .spanish),
        ("Avísame a las cinco de la tarde, no, déjalo", .spanish),
    ]
}
