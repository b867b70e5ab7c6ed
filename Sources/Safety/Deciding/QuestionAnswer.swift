import Conversation

/// A message that answers the question that was asked last.
///
/// A message counts as an answer only if it is a plain yes or no, or says that all is well. A word of harm in other
/// talk answers nothing; a danger in it is evidence by itself.
struct QuestionAnswer: Sendable, Equatable {
    /// The meaning of an answer.
    enum Meaning: Sendable, Equatable {
        /// The answer that makes the incident worse, or the better one.
        case worse, better
        /// A yes or no to an offer.
        case consent, refusal
    }

    /// The question.
    let question: OpenQuestion
    /// The answer's meaning.
    let meaning: Meaning

    /// Reads an answer; nil when the message is no answer.
    init?(_ said: String, to question: OpenQuestion, _ screening: Screening) {
        let words = AnswerWords(said)
        self.question = question
        let asksToAct = question.kind == .offer || question.category == .scam
        let asksForHelp = question.kind == .check && question.level == .critical && question.category != .scam
        if asksToAct {
            if screening.level > .none, question.category != .scam { return nil }
            guard let meaning = Self.consent(words) else { return nil }
            self.meaning = meaning
        } else {
            let answer = CheckAnswer(said, about: question.category)
            let heedsHarm = question.raises.map { $0 < .critical } ?? false
            guard let meaning = answer.meaning(question.worse, heedsHarm: heedsHarm) else { return nil }
            if meaning == .better, screening.findings.contains(where: { $0.level > .none }) { return nil }
            self.meaning = asksForHelp && meaning == .better && answer.opening == true ? .consent : meaning
        }
    }

    /// Reads a yes or no to an offer; the message must be short or begin with the exact words.
    private static func consent(_ words: AnswerWords) -> Meaning? {
        if words.opening == false { return .refusal }
        if words.consents { return .consent }
        return words.hold(AnswerWords.well) ? .refusal : nil
    }

    /// The category of the question's incident; nil when it has none.
    var incident: Conversation.Category? {
        question.kind == .check || question.kind == .late ? question.category : nil
    }

    /// The effect of the answer on the incident, apart from evidence.
    var event: IncidentTable.Event? {
        switch (meaning, question.category) {
        case (.better, .selfHarm): .closing(.denied)
        case (.better, _): .better
        case (.consent, .scam), (.refusal, .scam): .closing(.recovered)
        case (.consent, _): .closing(.called)
        case (.worse, _), (.refusal, _): nil
        }
    }

    /// The evidence in the answer; nil when it makes nothing worse.
    func finding(in text: String) -> Finding? {
        let span = 0..<text.utf8.count
        switch (question.kind, meaning) {
        case (.offer, .consent):
            return Finding(level: .low, category: .request, rule: "offer.accepted", span: span)
        case (.check, .worse), (.late, .worse), (.neutral, .worse):
            guard let raises = question.raises, raises > question.level || question.kind == .neutral else { return nil }
            return Finding(
                level: raises,
                category: question.category,
                rule: "check.\(question.category.rawValue)",
                span: span
            )
        default: return nil
        }
    }
}
