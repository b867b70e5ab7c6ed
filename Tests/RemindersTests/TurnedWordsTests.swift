import Reminders
import Testing

/// Requests whose words correct, except, condition or double what they say of when: each is asked back, none is
/// guessed.
@Suite struct TurnedWordsTests {
    @Test(arguments: Rows.read(english))
    func `English words that leave two readings are asked back`(row: Rows.Row) {
        #expect(Rows.reading(of: row.words, .english) == row.meaning)
    }

    @Test(arguments: Rows.read(spanish))
    func `Spanish words that leave two readings are asked back`(row: Rows.Row) {
        #expect(Rows.reading(of: row.words, .spanish) == row.meaning)
    }

    private static let english = """
        Remind me at six, well make it seven, to feed the dog
            half 7
        Remind me tomorrow, or better Friday, at 10 am to call Ann
            unclear
        I used to take my pills at eight, now the doctor wants them at nine, please remind me
            half 8
        Remind me the day after Christmas at 10 am to return the jumper
            day
        Remind me two days before my birthday at 9 am to book a table
            unclear
        Remind me at nine but only on weekdays to take my vitamins
            half 9
        Remind me to take my pill at 8 am starting next week
            day
        Remind me to take my pill at 8 am from the first of April to the tenth
            unclear
        Wake me at seven, or eight if it's Sunday
            unclear
        Remind me at 3 pm to ring Mum before her nap at four
            oneAtATime
        Remind me to watch the six o'clock news tomorrow
            half 6
        Remind me to watch the nine o'clock news at ten to nine
            oneAtATime
        Remind me a week before 20 March at 9 am to buy a card
            unclear
        Remind me on the second Tuesday at ten to go to book club
            oneAtATime
        Remind me next month on the 5th at 9 am to pay the rent
            day
        Remind me the week after next on Tuesday at 9 am to see Bob
            unclear
        Remind me every four hours to take my cough syrup today
            hours
        Remind me once at 3 pm and then every hour until six to drink
            unclear
        Remind me tomorrow morning at eleven at night
            what
        Remind me daily at 8 am to feed the birds, only on Fridays leave me alone
            weekdays
        The nurse says she'll remind me herself on Monday at ten, so relax
            unclear
        Remind me tomorrow, oh where's my list, at ten in the morning
            unclear
        Remind me at 25 past
            time
        Remind me at half past to call
            unclear
        Remind me Thursday the 6th of March at 2 pm to see Al
            day
        Remind me in the evening of the 12th to ring Tom
            unclear
        Can you remind me this Friday and next Friday at 2 pm to see the nurse
            oneAtATime
        Remind me to turn off the hose after twenty minutes
            time
        Remind me to call Bob at his office number 555 1234 at 3 pm
            time
        Remind me an hour before sunset to close the hens
            unclear
        Remind me at 7 pm UK time to call my son
            time
        Remind me at 3 pm Central to join the call
            day
        Could you wake me at seven tomorrow and again at eight
            oneAtATime
        Remind me monthly at 9 am on the 31st
            what
        Remind me at midnight on Friday to call Sydney
            half 12
        Remind me every morning at eight, except this Friday, to take my tablets
            unclear
        Remind me to phone Ann on her birthday at 10 am
            day
        Remind me by five to have called the bank
            unclear
        Remind me no later than 4 pm to leave
            time
        Remind me sometime after 3 pm to walk
            unclear
        Remind me at about five or so to water the plants
            time
        Remind me the morning of the 15th to fast
            unclear
        """

    private static let spanish = """
        Recuérdame a las seis, mejor a las siete, dar de comer al perro
            half 7
        Recuérdame mañana o pasado a las diez llamar a Ana
            unclear
        Antes tomaba la pastilla a las ocho, ahora el médico dice a las nueve, recuérdamelo
            oneAtATime
        Recuérdame una semana antes del 20 de marzo a las nueve comprar una tarjeta
            unclear
        Recuérdame a las tres de la tarde llamar a mamá antes de su siesta a las cuatro
            oneAtATime
        Recuérdame el segundo martes a las diez ir al club
            either 20260303 20260310
        Recuérdame el mes que viene el día 5 a las nueve pagar
            day
        Despiértame a las siete, o a las ocho si es domingo
            unclear
        Recuérdame a las tres de la tarde preguntar a Tomás por la reunión del viernes
            unclear
        Recuérdame a partir de la semana que viene a las ocho de la mañana la pastilla
            day
        Recuérdame mañana por la mañana a las once de la noche cenar
            unclear
        Recuérdame el cumpleaños de Ana el 5 de mayo
            time
        Mi hija me va a recordar mañana a las diez lo del notario
            unclear
        Recuérdame a las siete hora de España llamar a mi hijo
            half 7
        Recuérdame la tarde del 12 llamar a Tomás
            time
        Recuérdame cada cuatro horas el jarabe hoy
            hours
        Recuérdame antes de las cinco llamar al banco
            unclear
        Recuérdame todos los días a las ocho de la mañana, menos este viernes, la pastilla
            unclear
        Recuérdame este viernes y el otro a las dos ver a la enfermera
            unclear
        """
}
