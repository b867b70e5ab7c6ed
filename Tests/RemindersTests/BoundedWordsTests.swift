import Reminders
import Testing

/// Reminders with a first and a last time, those of something that has a time of its own, and those of others.
///
/// Said on Tuesday 3 March 2026 at ten in the morning in New York.
@Suite struct BoundedWordsTests {
    @Test(arguments: Rows.read(english))
    func `bounds, events, chosen days and other people are read in English`(row: Rows.Row) throws {
        #expect(Rows.reading(of: row.words, .english) == row.meaning)
    }

    @Test(arguments: Rows.read(spanish))
    func `bounds, events, chosen days and other people are read in Spanish`(row: Rows.Row) throws {
        #expect(Rows.reading(of: row.words, .spanish) == row.meaning)
    }

    private static let english = """
        Remind me to drink a glass of water every two hours until eight tonight
            drink a glass of water | water | 20260303T120000 DAILY;BYHOUR=12,14,16,18,20;BYMINUTE=0;UNTIL=20260303T235900 | Today every two hours from noon to eight in the evening: drink a glass of water.
        Remind me to take the antibiotic every six hours for three days, starting at ten tonight
            antibiotic | medicine | 20260303T220000 DAILY;BYHOUR=4,10,16,22;BYMINUTE=0;COUNT=12 | Every six hours, from today at ten at night, 12 times: antibiotic.
        Paracetamol every six hours, starting at noon today, and the last one is tomorrow at six pm
            paracetamol | medicine | 20260303T120000 DAILY;BYHOUR=0,6,12,18;BYMINUTE=0;UNTIL=20260304T180000 | Every six hours, from today at noon, until tomorrow at six in the evening: paracetamol.
        take one pill every six hours until Friday at noon
            hours
        remind me every year on the tenth of May at nine am of Ann's birthday
            Ann's birthday | other | 20260510T090000 MONTHLY;INTERVAL=12;BYMONTHDAY=10;BYHOUR=9;BYMINUTE=0 | Every year on May 10 at nine in the morning: Ann's birthday.
        remind me every year to get my flu shot at nine am
            day
        Tomorrow, eleven, call the bank
            call the bank | call | 20260304T110000 | Tomorrow at eleven in the morning: call the bank.
        Ten each morning, feed the cat
            feed the cat | other | 20260304T100000 DAILY;BYHOUR=10;BYMINUTE=0 | Every day at ten in the morning: feed the cat.
        Pills, two, tomorrow
            time
        Pills, two, every morning
            time
        I have the dentist on Friday at two. Remind me at noon.
            dentist at two | appointment | 20260306T120000 | On Friday, March 6 at noon: dentist at two.
        I have the dentist on Friday at two. Remind me at three.
            oneAtATime
        I have bridge at two tomorrow. Tell me at one.
            bridge at two | activity | 20260304T130000 | Tomorrow at one in the afternoon: bridge at two.
        I have bridge tomorrow at two. My sister comes at one. Tell me at noon.
            bridge at two, your sister comes at one | activity | 20260304T120000 | Tomorrow at noon: bridge at two, your sister comes at one.
        Chiropodist, Thursday, ten past eleven. Tell me at ten.
            Chiropodist, ten past eleven | other | 20260305T100000 | On Thursday, March 5 at ten in the morning: Chiropodist, ten past eleven.
        Remind me I've got the foot doctor on the 15th at eleven, tell me the evening before at seven
            I've got the foot doctor on the 15th at eleven | appointment | 20260314T190000 | On Saturday, March 14 at seven in the evening: I've got the foot doctor on the 15th at eleven.
        remind me about the kidney doctor on april second at ten the day before at noon
            kidney doctor on april second at ten | appointment | 20260401T120000 | On Wednesday, April 1 at noon: kidney doctor on april second at ten.
        Not tomorrow but the day after, at ten in the morning, have me call the foot doctor
            call the foot doctor | call | 20260305T100000 | On Thursday, March 5 at ten in the morning: call the foot doctor.
        On the last day of April at ten in the morning remind me to read the meter
            read the meter | other | 20260430T100000 | On Thursday, April 30 at ten in the morning: read the meter.
        In two weeks, Tuesday the seventeenth, at ten in the morning, call the surgery
            call the surgery | call | 20260317T100000 | On Tuesday, March 17 at ten in the morning: call the surgery.
        In two weeks, Monday the sixteenth, at ten in the morning, call the surgery
            oneAtATime
        Fifteenth of every month at ten am, balance the checkbook. My Harold always did it on the fifteenth.
            balance the checkbook | other | 20260315T100000 MONTHLY;BYMONTHDAY=15;BYHOUR=10;BYMINUTE=0 | On the 15th of every month at ten in the morning: balance the checkbook.
        A week today, at the same time as now, remind me to ring Joan
            ring Joan | call | 20260310T100000 | On Tuesday, March 10 at ten in the morning: ring Joan.
        Every Saturday at noon, and this Saturday too, choir
            choir | activity | 20260307T120000 WEEKLY;BYDAY=SA;BYHOUR=12;BYMINUTE=0 | Every Saturday at noon: choir.
        put me in mind of the choir tomorrow at six pm
            choir | activity | 20260304T180000 | Tomorrow at six in the evening: choir.
        That song puts me in mind of my mother's kitchen at six
            none
        recuérdame call Susan tomorrow at five
            call Susan | call | 20260304T170000 | Tomorrow at five in the afternoon: call Susan.
        She said remind me at five
            unclear
        Suppose I asked you to remind me at five, would you?
            unclear
        I would have wanted a reminder at five
            unclear
        I have the dentist on Friday at two. Don't tell me at noon.
            unclear
        Nine tomorrow, I hope
            unclear
        the match starts at nine tonight
            match starts | other | 20260303T210000 | Today at nine at night: match starts.
        Tell my wife at five that dinner is ready
            your wife: dinner is ready | meal | 20260303T170000 | Today at five in the afternoon: your wife: dinner is ready.
        At noon I had soup. Remind me at one of the oven
            oven | other | 20260303T130000 | Today at one in the afternoon: oven.
        Remind my husband to take his insulin at five pm
            your husband: take his insulin | other | 20260303T170000 | Today at five in the afternoon: your husband: take his insulin.
        Remind me to give my husband his insulin at five pm
            give your husband his insulin | other | 20260303T170000 | Today at five in the afternoon: give your husband his insulin.
        My husband takes his pill at nine at night
            husband takes his pill | other | 20260303T210000 | Today at nine at night: husband takes his pill.
        Remind me to give the dog his pill at eight tonight
            give the dog his pill | other | 20260303T200000 | Today at eight in the evening: give the dog his pill.
        Can she get a reminder at 12:15 every day to eat lunch?
            eat lunch | meal | 20260303T121500 DAILY;BYHOUR=12;BYMINUTE=15 | Every day at quarter past twelve in the afternoon: eat lunch.
        For the next four Saturdays remind me at eight in the morning to water Joan's ferns while she's away
            water Joan's ferns while she's away | other | 20260307T080000 WEEKLY;BYDAY=SA;BYHOUR=8;BYMINUTE=0;COUNT=4 | Every Saturday at eight in the morning, 4 times: water Joan's ferns while she's away.
        Remind me every hour while I am awake to drink
            unclear
        Remind me Monday at nine in the evening not to eat anything more, I've got blood work Tuesday
            not to eat anything more | meal | 20260309T210000 | On Monday, March 9 at nine at night: not to eat anything more.
        remind me to pick up Tom, who lands at four, at three tomorrow
            oneAtATime
        Thyroxine at seven in the morning, every day, the iron has been stopped
            Thyroxine | medicine | 20260304T070000 DAILY;BYHOUR=7;BYMINUTE=0 | Every day at seven in the morning: Thyroxine.
        Thyroxine at seven in the morning every day
            Thyroxine | medicine | 20260304T070000 DAILY;BYHOUR=7;BYMINUTE=0 | Every day at seven in the morning: Thyroxine.
        lisinopril at nine pm
            lisinopril | medicine | 20260303T210000 | Today at nine at night: lisinopril.
        amoxicillin with dinner
            amoxicillin | medicine | 20260303T180000 | Today at six in the evening: amoxicillin.
        Order more lisinopril tomorrow at nine am
            order more lisinopril | other | 20260304T090000 | Tomorrow at nine in the morning: order more lisinopril.
        call about the lisinopril tomorrow at nine am
            call about the lisinopril | call | 20260304T090000 | Tomorrow at nine in the morning: call about the lisinopril.
        drink my omeprazole with water at eight am
            drink your omeprazole with water | medicine | 20260304T080000 | Tomorrow at eight in the morning: drink your omeprazole with water.
        """

    private static let spanish = """
        recuérdame beber agua cada hora hasta las seis de la tarde de hoy
            beber agua | water | 20260303T110000 DAILY;BYHOUR=11,12,13,14,15,16,17,18;BYMINUTE=0;UNTIL=20260303T235900 | Hoy cada hora de las once de la mañana a las seis de la tarde: beber agua.
        cada ocho horas el antibiótico, empezando hoy a las dos de la tarde, siete días
            antibiótico | medicine | 20260303T140000 DAILY;BYHOUR=6,14,22;BYMINUTE=0;COUNT=21 | Cada ocho horas, desde hoy a las dos de la tarde, 21 veces: antibiótico.
        todos los años el diez de mayo a las nueve de la mañana recuérdame el cumpleaños de Ana
            cumpleaños de Ana | other | 20260510T090000 MONTHLY;INTERVAL=12;BYMONTHDAY=10;BYHOUR=9;BYMINUTE=0 | Todos los años el 10 de mayo a las nueve de la mañana: cumpleaños de Ana.
        mañana no, pasado, a las diez de la mañana, llamar a Lupita
            llamar a Lupita | call | 20260305T100000 | El jueves 5 de marzo a las diez de la mañana: llamar a Lupita.
        el jueves no, el viernes a las nueve de la mañana recuérdame el banco
            banco | other | 20260306T090000 | El viernes 6 de marzo a las nueve de la mañana: banco.
        tengo dentista el viernes a las cuatro. Avísame a las tres.
            dentista a las cuatro | appointment | 20260306T150000 | El viernes 6 de marzo a las tres de la tarde: dentista a las cuatro.
        tengo dentista el viernes a las cuatro. Avísame a las cinco.
            oneAtATime
        mañana a las once viene el fontanero. Avísame a las diez y media.
            a las once viene el fontanero | other | 20260304T103000 | Mañana a las diez y media de la mañana: a las once viene el fontanero.
        Recuérdale por favor a las ocho de la noche su metformina
            su metformina | medicine | 20260303T200000 | Hoy a las ocho de la noche: su metformina.
        tú me avisas a las cinco de la tarde que llame a Ana
            llame a Ana | call | 20260303T170000 | Hoy a las cinco de la tarde: llame a Ana.
        usted me recuerda a mi comadre a las cinco
            unclear
        remind me mañana a las cinco de llamar a Ana
            llamar a Ana | call | 20260304T170000 | Mañana a las cinco de la tarde: llamar a Ana.
        a esta misma hora mañana recuérdame regar
            regar | other | 20260304T100000 | Mañana a las diez de la mañana: regar.
        dentro de quince días, el martes diecisiete, a las nueve de la mañana, pedir el turno
            pedir el turno | other | 20260317T090000 | El martes 17 de marzo a las nueve de la mañana: pedir el turno.
        ella dijo recuérdame a las cinco
            unclear
        me habría gustado un recordatorio a las cinco
            unclear
        tengo dentista el viernes a las cuatro. No me avises a las tres.
            unclear
        tú me dijiste que a las cinco
            unclear
        dime a las cinco qué hora es
            unclear
        recuérdame por favor a las cinco llamar a Ana
            llamar a Ana | call | 20260303T170000 | Hoy a las cinco de la tarde: llamar a Ana.
        recuérdale a mi marido la insulina a las cinco de la tarde
            su marido: insulina | other | 20260303T170000 | Hoy a las cinco de la tarde: su marido: insulina.
        recuérdame darle la pastilla a mi marido a las cinco de la tarde
            darle la pastilla a su marido | other | 20260303T170000 | Hoy a las cinco de la tarde: darle la pastilla a su marido.
        mi marido necesita la insulina a las cinco de la tarde
            marido necesita la insulina | other | 20260303T170000 | Hoy a las cinco de la tarde: marido necesita la insulina.
        """
}
