/// A question that belongs to the records: the time, the day, what comes next, whether a dose was taken.
///
/// A model that answers one of these invents the answer, so they are recognised before it is asked.
package enum RecordQuestion: Sendable, Equatable, CaseIterable {
    case time, day, nextReminder, dose

    /// The question that a message asks; nil when it asks none of them.
    package init?(_ said: String) {
        let found = Self.phrases.found(in: SpokenWords(said))
        let questions = Set(found.compactMap { Self.questions[$0] })
        guard let first = Self.allCases.first(where: questions.contains) else { return nil }
        self = first
    }

    private static let questions: [String: RecordQuestion] = Dictionary(
        allCases.flatMap { question in question.phrases.map { ($0, question) } },
        uniquingKeysWith: { first, _ in first }
    )
    private static let phrases = SpokenPhrases(questions.keys)

    private static let doses = [
        "pill", "pills", "tablet", "tablets", "medicine", "medicines", "medication", "medications", "meds",
    ]

    private var phrases: [String] {
        switch self {
        case .time:
            [
                "what time is it", "what's the time", "what is the time", "tell me the time", "qué hora es",
                "que hora es",
            ]
        case .day:
            [
                "what day is it", "what day is today", "what's the date", "what is the date", "what date is it",
                "what is today's date", "what's today's date", "what month is it", "what year is it", "qué día es",
                "que dia es", "qué fecha es",
            ]
        case .nextReminder:
            [
                "what's my next", "what is my next", "when is my next", "when's my next", "what do i have today",
                "what's on today", "what do i have to do today", "what's next today", "when is my appointment",
                "when's my appointment", "do i have any appointments", "do i have an appointment",
                "my next appointment",
                "my next reminder", "any reminders", "qué tengo hoy", "que tengo hoy", "mi próxima cita",
                "mi proxima cita",
            ]
        case .dose:
            Self.doses.flatMap { dose in
                [
                    "did i take my", "have i taken my", "did i already take my", "have i already taken my",
                    "did i have my",
                ]
                .flatMap { start in
                    ["\(start) \(dose)"]
                        + ["morning", "evening", "blood pressure", "heart", "night", "noon", "daily", "water"]
                        .map { "\(start) \($0) \(dose)" }
                }
            } + [
                "tomé mi pastilla", "tome mi pastilla", "tomé mis pastillas", "he tomado mi pastilla",
                "tomé mi medicina",
            ]
        }
    }
}
