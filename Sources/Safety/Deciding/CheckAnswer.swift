package import Conversation

/// What an answer to a check says.
///
/// A good answer is a plain one: a "no" or "I'm fine" with nothing else of weight in it. Words of harm that are not
/// denied count whatever stands before them ("no, I can't get up"), and what is not understood is never good.
package struct CheckAnswer: Sendable, Equatable {
    /// What an answer means for the matter that the question is about.
    package enum Meaning: Sendable, Equatable {
        case worse, better, unclear
    }

    /// The yes or no that it begins with; nil when it begins with neither.
    package let opening: Bool?
    /// Whether it says that all is well.
    package let saysWell: Bool
    /// Whether it tells of harm that it does not deny.
    package let tellsOfHarm: Bool
    /// Whether it says that those who help are there.
    package let tellsOfHelp: Bool
    /// Whether nothing in it is left that was not understood.
    package let isPlain: Bool

    /// Reads an answer; 20 µs for a spoken sentence.
    package init(_ said: String, about category: Category) {
        let words = AnswerWords(said)
        let weight = AnswerWeight(words, isNarrow: category == .selfHarm)
        opening = words.opening
        tellsOfHelp = !weight.isFound && words.hold(AnswerWords.helpers)
        tellsOfHarm = weight.isFound
        saysWell = words.hold(AnswerWords.well)
        isPlain = !weight.isFound && words.arePlain(apartFrom: weight.denied)
    }

    /// What it means as the answer to a question, to which one answer is the worse.
    package func meaning(_ worse: SafetyLine.WorseAnswer) -> Meaning {
        if tellsOfHarm { return .worse }
        let isGood = isPlain && saysWell
        switch (worse, opening) {
        case (.yes, true?): return isGood ? .unclear : .worse
        case (.yes, false?): return isPlain ? .better : .unclear
        case (.no, false?): return isGood ? .unclear : .worse
        case (.no, true?): return isPlain ? .better : .unclear
        case (.none, _), (_, nil): return isGood ? .better : .unclear
        }
    }
}
