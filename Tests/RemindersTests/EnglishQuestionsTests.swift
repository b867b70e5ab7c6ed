import Reminders
import Testing

/// English words that leave something open, said on Tuesday 3 March 2026 at ten in the morning in New York.
@Suite struct EnglishQuestionsTests {
    @Test(arguments: Rows.read(open))
    func `what the words leave open is asked, and other talk makes no reminder`(row: Rows.Row) throws {
        #expect(Rows.reading(of: row.words, .english) == row.meaning)
    }

    private static let open = """
        pills three times a day with meals
            time
        insulin before every meal
            time
        dentist next Wednesday at half past two
            either 20260304 20260311
        pills at eight
            half 8
        pills at nine every day
            half 9
        call Susan tomorrow
            time
        call Susan
            time
        remind me to call Susan
            time
        remind me tomorrow at three
            what
        pills twice a day
            time
        pills three times a day
            time
        pills every day
            time
        physio on Tuesday at 3 pm
            either 20260303 20260310
        appointment next Friday at 3 pm
            either 20260306 20260313
        water the plants every week at 9 am
            weekdays
        vitamin D three times a week at 9 am
            weekdays
        rent every month at 9 am
            day
        rent on the 31st of every month at 9 am
            lastDay 31
        pills at 8 am and 8 pm
            often
        drink water every two hours
            hours
        drink water every five minutes
            tooOften
        call Susan today at 9 am
            past
        call Susan on Monday and Thursday at 3 pm
            often
        call Tom tomorrow at three and Ann on Friday at four
            oneAtATime
        pills at 8 pm and call Susan at 9 pm
            oneAtATime
        call Susan at 3 pm or 4 pm
            oneAtATime
        call Susan later
            time
        call Susan soon
            time
        call Susan next week
            day
        when I get home remind me to call Susan
            unclear
        if it rains tomorrow at 3 pm call Tom
            unclear
        appointment on 4/5 at 3 pm
            day
        call Joan on the 31st of February at 3 pm
            day
        remind me not to eat after 9 pm
            unclear
        every hour drink water
            hours
        pills 8
            time
        pills before
            unclear
        meeting on Friday at 25
            time
        pills at half eight
            half 8
        call Susan at 3 pm in the morning
            unclear
        first Monday of March book club at 10 am
            day
        breakfast at some point
            time
        doctor sometime on Friday
            time
        remind me at 8 pm
            what
        remind me
            what
        physio every other week at 3 pm
            weekdays
        call Susan on the weekend at 3 pm
            day
        Friday 3 pm or Saturday 3 pm call Tom
            oneAtATime
        the pills at seven on Thursday
            half 7
        walk at six
            half 6
        call Susan between 3 and 4 pm
            time
        What time is it?
            none
        I took my pills at 8 pm
            none
        I fell at three
            none
        I ate at 6 pm
            none
        cancel my pills at 8 pm
            none
        don't remind me at 8 pm
            unclear
        stop reminding me every day at 8 pm
            unclear
        I love my grandchildren
            none
        Did I take my pills at 8 pm?
            none
        What do I have today?
            none
        When is my appointment tomorrow?
            none
        she comes at 3 pm
            none
        I slept badly until 4 am
            none
        My head hurts since this morning
            unclear
        thank you
            none
        good morning
            none
        hello Milo
            none
        delete the reminder at 8 pm
            unclear
        we went to the park on Sunday at 3 pm
            none
        he called at 3 pm
            none
        it is 3 pm
            none
        I feel sad tonight
            none
        no
            none
        help I fell
            none
        is it 8 pm?
            none
        you are kind
            none
        tell me a joke
            none
        the weather is nice
            none
        my daughter called yesterday
            none
        I can't sleep at night
            none
        move my appointment to 3 pm
            unclear
        skip my pills tonight
            unclear
        change the pill to 9 pm
            unclear
        Emma's birthday June 20
            time
        cancel physio and remind me at 3 pm to rest
            unclear
        remind me when it's 3 pm to call Jo
            unclear
        take pills now
            time
        take my pills in the morning at 8 and in the evening at 8
            often
        every third Thursday at 4 pm book club
            unclear
        call 555 1234 at 3 pm
            time
        remind me at quarter to
            unclear
        8 pm
            what
        tomorrow
            what
        physio 12/3 at 3 pm
            day
        call Sam before 3 pm
            unclear
        call Sam after 3 pm
            unclear
        pay bills on the 15th and 30th of every month at 9 am
            lastDay 30
        pay bills on the 1st and 15th of each month at 9 am
            unclear
        take my vitamins every day at 8 am until the end of March
            unclear
        take my vitamins at 8 am for a while
            unclear
        every Monday at 9 am but not next Monday take the rubbish out
            unclear
        """
}
